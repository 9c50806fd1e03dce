/* The library's own tests; status 0 when all hold. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/lzpack.h"

static int failed;

static void hold(int holds, const char *what, size_t size)
{
    if (!holds) {
        printf("FAILED: %s (%zu bytes)\n", what, size);
        failed = 1;
    }
}

static void round_trip(const uint8_t *text, size_t size, const char *what)
{
    size_t bound = lz_bound(size);
    uint8_t *packed = malloc(bound + 1), *back = malloc(size + 1);
    packed[bound] = 77;
    back[size] = 78;
    size_t made = lz_pack(text, size, packed);
    hold(made > 0 && made <= bound && packed[bound] == 77, "packed within its bound", size);
    hold(lz_unpack(packed, made, back, size) == (long)size, what, size);
    hold(memcmp(text, back, size) == 0 && back[size] == 78, what, size);
    hold(size == 0 || lz_unpack(packed, made, back, size - 1) == -1, "a room too small is refused", size);
    for (size_t cut = 0; cut < made && cut < 40; cut++)
        hold(lz_unpack(packed, cut, back, size) == -1, "a packed text cut short is refused", cut);
    free(packed);
    free(back);
}

int main(void)
{
    static uint8_t text[40000];
    uint32_t state = 7;
    for (size_t size = 0; size < 70; size++) {
        memset(text, 'a', size);
        round_trip(text, size, "one letter");
        for (size_t i = 0; i < size; i++)
            text[i] = (uint8_t)(i % 5);
        round_trip(text, size, "a short period");
    }
    for (size_t i = 0; i < sizeof text; i++) {
        state = state * 1664525u + 1013904223u;
        text[i] = (uint8_t)(state >> 24);
    }
    round_trip(text, 5000, "noise");
    memcpy(text + 30000, text, 10000);
    round_trip(text, sizeof text, "noise that comes back");
    memset(text, 0, sizeof text);
    round_trip(text, sizeof text, "nothing but zeros");
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)"the quick brown fox "[(i * i / 7 + i) % 20];
    round_trip(text, sizeof text, "words");
    const uint8_t broken[] = {1, 'a', 1, 2, 0, 0};
    hold(lz_unpack(broken, sizeof broken, text, 100) == -1, "a match before the start is refused", 0);
    const uint8_t endless[] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 1};
    hold(lz_unpack(endless, sizeof endless, text, 100) == -1, "an endless number is refused", 0);
    return failed;
}
