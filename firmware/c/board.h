/* What differs from board to board: interrupts, a UART, a clock, an LED. */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

/* What the resource says. */
extern const char board_info[];

/* Sets the UART and the clock up, and lets interrupts through. */
void board_init(void);

/* A byte from the UART, and 0x00 in the place of what was lost or is wrong; negative, if there is none. */
int board_receive(void);

/* A byte to the UART; false, if it takes none. Its interrupt comes when it does. */
bool board_send(uint8_t byte);

/* Whether a received byte interrupts. */
void board_listen(bool yes);

/* Milliseconds since the start; 64 bits, since the library's clock may not go back. Interrupts do not ask. */
uint64_t board_now(void);

void board_set_led(bool on);

/* The register behind the LED, and one that says which chip this is. */
uint32_t board_led(void);
uint32_t board_id(void);

/* Keeps interrupts out, and lets them in again. */
void board_mask(void);
void board_unmask(void);

/* Waits for an interrupt, also for one that is kept out. */
void board_sleep(void);

/* A device register. */
#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

#endif
