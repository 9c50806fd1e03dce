/* The longest earlier text that is the same as what comes. */
#ifndef MATCH_H
#define MATCH_H

#include "chains.h"

typedef struct {
    size_t length; /* 0: there is none */
    size_t distance;
} lz_match;

lz_match match_find(const lz_chains *chains, const uint8_t *text, size_t size, size_t at);

#endif
