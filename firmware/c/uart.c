/*
 * While the ring is full no byte is taken from the UART, which then, if it drives RTS, holds the peer up. Where it does
 * not, bytes are lost. What was lost, or came with an error, is 0x00 in the ring, if the UART tells: no message holds that
 * byte, so the decoder refuses the line, which would else be another one that may be as valid.
 */
#include "uart.h"

#include "board.h"

/* Bytes that may come while the program is at work: at 115200 baud, 5 ms. */
enum { ROOM = 64 };

/* The counts run on and wrap, so that full and empty differ. */
static volatile uint8_t ring[ROOM];
static volatile uint8_t put, taken;
static volatile bool woken;

static bool is_full(void) {
    return (uint8_t)(put - taken) >= ROOM;
}

void uart_received(void) {
    int byte;
    while (!is_full() && (byte = board_receive()) >= 0) {
        ring[put % ROOM] = (uint8_t)byte;
        put++;
    }
    if (is_full()) board_listen(false);
    woken = true;
}

void uart_wake(void) {
    woken = true;
}

size_t uart_read(unsigned char *into, size_t room) {
    size_t count = 0;
    while (count < room && taken != put) {
        into[count++] = ring[taken % ROOM];
        taken++;
    }
    if (count > 0) board_listen(true);
    return count;
}

size_t uart_write(const char *bytes, size_t length) {
    size_t count = 0;
    while (count < length && board_send((uint8_t)bytes[count])) count++;
    return count;
}

void uart_wait(void) {
    /* Between the question and the sleep no interrupt gets through; one that comes then ends the sleep at once. */
    board_mask();
    if (!woken) board_sleep();
    woken = false;
    board_unmask();
}
