#include "chains.h"

#include <stdlib.h>

static uint32_t hash(const uint8_t *text)
{
    uint32_t value = 0;
    for (int i = 0; i < LZ_HASHED; i++)
        value = value + text[i];
    return value & ((1u << LZ_HASH_BITS) - 1);
}

int chains_open(lz_chains *chains, size_t size)
{
    chains->previous = malloc((size + 1) * sizeof *chains->previous);
    if (!chains->previous)
        return 0;
    for (size_t i = 0; i < (1u << LZ_HASH_BITS); i++)
        chains->head[i] = LZ_NOWHERE;
    for (size_t i = 0; i < size; i++)
        chains->previous[i] = LZ_NOWHERE;
    return 1;
}

void chains_close(lz_chains *chains)
{
    free(chains->previous);
}

void chains_add(lz_chains *chains, const uint8_t *text, size_t size, size_t at)
{
    if (at + LZ_HASHED > size)
        return;
    uint32_t bucket = hash(text + at);
    chains->previous[at] = chains->head[bucket];
    chains->head[bucket] = at;
}

size_t chains_first(const lz_chains *chains, const uint8_t *text, size_t size, size_t at)
{
    if (at + LZ_HASHED > size)
        return LZ_NOWHERE;
    return chains->head[hash(text + at)];
}

size_t chains_next(const lz_chains *chains, size_t at)
{
    return chains->previous[at];
}
