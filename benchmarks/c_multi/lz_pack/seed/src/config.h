/* The constants of the format and of the search. */
#ifndef CONFIG_H
#define CONFIG_H

#define LZ_WINDOW 2048      /* how far back a match may lie */
#define LZ_LEAST_MATCH 6    /* the shortest match worth a step */
#define LZ_MOST_MATCH 64    /* the longest match of one step */
#define LZ_HASH_BITS 9      /* 2^bits chains of earlier positions */
#define LZ_CHAIN 6          /* how many earlier positions are tried */
#define LZ_GOOD 1024        /* a match this long ends the search */

#endif
