/* Chains of earlier positions that begin with the same bytes. */
#ifndef CHAINS_H
#define CHAINS_H

#include <stddef.h>
#include <stdint.h>

#include "config.h"

#define LZ_NOWHERE ((size_t)-1)
#define LZ_HASHED 3 /* bytes that a hash looks at */

typedef struct {
    size_t head[1 << LZ_HASH_BITS];
    size_t *previous; /* the position before, for each position */
} lz_chains;

int chains_open(lz_chains *chains, size_t size);
void chains_close(lz_chains *chains);
void chains_add(lz_chains *chains, const uint8_t *text, size_t size, size_t at);
size_t chains_first(const lz_chains *chains, const uint8_t *text, size_t size, size_t at);
size_t chains_next(const lz_chains *chains, size_t at);

#endif
