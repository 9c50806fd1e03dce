#include "lzpack.h"
#include "match.h"

static size_t put_number(uint8_t *out, size_t value)
{
    size_t written = 0;
    while (value >= 128) {
        out[written++] = (uint8_t)(value | 128);
        value >>= 7;
    }
    out[written++] = (uint8_t)value;
    return written;
}

static size_t put_literals(uint8_t *out, const uint8_t *from, size_t count)
{
    size_t written = put_number(out, count);
    for (size_t i = 0; i < count; i++)
        out[written + i] = from[i];
    return written + count;
}

size_t lz_bound(size_t size)
{
    return size + size / 4 + 64;
}

size_t lz_pack(const uint8_t *text, size_t size, uint8_t *out)
{
    lz_chains chains;
    size_t written = 0, literals = 0, at = 0;
    if (!chains_open(&chains, size))
        return 0;
    while (at < size) {
        lz_match match = match_find(&chains, text, size, at);
        if (match.length == 0) {
            chains_add(&chains, text, size, at);
            at++;
            continue;
        }
        written += put_literals(out + written, text + literals, at - literals);
        written += put_number(out + written, match.length - (LZ_LEAST_MATCH - 1));
        written += put_number(out + written, match.distance);
        for (size_t i = 0; i < match.length; i++)
            chains_add(&chains, text, size, at + i);
        at += match.length;
        literals = at;
    }
    written += put_literals(out + written, text + literals, at - literals);
    written += put_number(out + written, 0);
    chains_close(&chains);
    return written;
}
