/* What the Cortex-M boards share. */
#include "board.h"

void board_mask(void) {
    __asm__ volatile("cpsid i" ::: "memory");
}

void board_unmask(void) {
    __asm__ volatile("cpsie i" ::: "memory");
}

void board_sleep(void) {
    __asm__ volatile("wfi" ::: "memory");
}

uint32_t board_id(void) {
    return REGISTER(0xE000ED00); /* CPUID */
}
