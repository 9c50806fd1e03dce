#include "match.h"

static size_t common(const uint8_t *text, size_t size, size_t earlier, size_t at)
{
    size_t length = 0;
    while (at + length < size && length < LZ_MOST_MATCH) {
        if (text[earlier + length] != text[at + length])
            break;
        length++;
    }
    return length;
}

static int same_start(const uint8_t *text, size_t size, size_t earlier, size_t at)
{
    for (size_t i = 0; i < LZ_LEAST_MATCH; i++) {
        if (at + i >= size)
            return 0;
        if (text[earlier + i] != text[at + i])
            return 0;
    }
    return 1;
}

lz_match match_find(const lz_chains *chains, const uint8_t *text, size_t size, size_t at)
{
    lz_match best = {0, 0};
    size_t earlier = chains_first(chains, text, size, at);
    for (int tried = 0; tried < LZ_CHAIN && earlier != LZ_NOWHERE; tried++) {
        if (at - earlier > LZ_WINDOW)
            break;
        if (same_start(text, size, earlier, at)) {
            size_t length = common(text, size, earlier, at);
            if (length >= LZ_LEAST_MATCH && length > best.length) {
                best.length = length;
                best.distance = at - earlier;
            }
            if (best.length >= LZ_GOOD)
                break;
        }
        earlier = chains_next(chains, earlier);
    }
    return best;
}
