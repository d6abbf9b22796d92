/* The UART: an interrupt fills a ring, the program empties it. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* To be called from the interrupt of the UART. */
void uart_received(void);

/* To be called from other interrupts: there is something to do. */
void uart_wake(void);

/* Takes what has come, and says how much that is. */
size_t uart_read(unsigned char *into, size_t room);

/* Gives the UART as many bytes as it takes, and says how many that were. */
size_t uart_write(const char *bytes, size_t length);

/* Sleeps until an interrupt has brought something since this was called last. */
void uart_wait(void);

#endif
