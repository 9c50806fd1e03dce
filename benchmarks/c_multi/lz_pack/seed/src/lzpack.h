/* lzpack: a small byte-oriented LZ77 compressor.
 *
 * A packed text is a sequence of steps: the number of literals, the literals, the length of a
 * match, its distance. Numbers are varints of 7 bits per byte, the lowest first. A length of 0
 * ends the text; other lengths count from LZ_LEAST_MATCH - 1.
 */
#ifndef LZPACK_H
#define LZPACK_H

#include <stddef.h>
#include <stdint.h>

/* The most bytes that `size` bytes can be packed into. */
size_t lz_bound(size_t size);

/* Pack `size` bytes into `out`, which has room for lz_bound(size). Returns the packed size, 0 without memory. */
size_t lz_pack(const uint8_t *text, size_t size, uint8_t *out);

/* Unpack into `out` with room for `room` bytes. Returns the size, or -1 when the packed text is broken. */
long lz_unpack(const uint8_t *packed, size_t size, uint8_t *out, size_t room);

#endif
