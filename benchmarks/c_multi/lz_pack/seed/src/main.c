/* lzpack pack|unpack [COUNT-FD] < in > out: the tool, and the program that is measured. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lzpack.h"
#include "meter.h"

static uint8_t *input(size_t *size)
{
    size_t room = 1 << 16;
    uint8_t *bytes = malloc(room);
    *size = 0;
    while (bytes) {
        size_t got = fread(bytes + *size, 1, room - *size, stdin);
        if (got == 0)
            return bytes;
        *size += got;
        if (*size == room)
            bytes = realloc(bytes, room *= 2);
    }
    return NULL;
}

int main(int count, char **words)
{
    size_t size, room;
    uint8_t *in = input(&size), *out;
    long made;
    if (!in || count < 2)
        return 2;
    int packing = strcmp(words[1], "pack") == 0;
    room = packing ? lz_bound(size) : (size_t)1 << 24;
    out = malloc(room);
    if (!out)
        return 2;
    meter_start();
    made = packing ? (long)lz_pack(in, size, out) : lz_unpack(in, size, out, room);
    unsigned long blocks = meter_stop();
    if (made < 0 || (size_t)made > room || fwrite(out, 1, (size_t)made, stdout) != (size_t)made || fflush(stdout))
        return 1;
    if (count > 2)
        dprintf(atoi(words[2]), "%lu\n", blocks);
    free(out);
    free(in);
    return 0;
}
