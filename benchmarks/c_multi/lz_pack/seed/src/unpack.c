#include "config.h"
#include "lzpack.h"

typedef struct {
    const uint8_t *bytes;
    size_t size, at;
    int broken;
} source;

static size_t number(source *from)
{
    size_t value = 0;
    for (int shift = 0; shift < 56; shift += 7) {
        if (from->at >= from->size)
            break;
        uint8_t byte = from->bytes[from->at++];
        value |= (size_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
    from->broken = 1;
    return 0;
}

long lz_unpack(const uint8_t *packed, size_t size, uint8_t *out, size_t room)
{
    source from = {packed, size, 0, 0};
    size_t made = 0;
    for (;;) {
        size_t literals = number(&from);
        if (from.broken || literals > from.size - from.at || literals > room - made)
            return -1;
        for (size_t i = 0; i < literals; i++)
            out[made++] = from.bytes[from.at++];
        size_t length = number(&from);
        if (from.broken)
            return -1;
        if (length == 0)
            return (long)made;
        length += LZ_LEAST_MATCH - 1;
        size_t distance = number(&from);
        if (from.broken || distance == 0 || distance > made || length > room - made)
            return -1;
        for (size_t i = 0; i < length; i++) {
            out[made] = out[made - distance];
            made++;
        }
    }
}
