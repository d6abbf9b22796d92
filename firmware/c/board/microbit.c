/* BBC micro:bit (first edition): an nRF51822, a Cortex-M0 at 16 MHz, one UART. */
#include "board.h"
#include "uart.h"

const char board_info[] = "microbit, Cortex-M0, C";

#define CLOCK_START REGISTER(0x40000000)

/* The UART on the pins that go to the USB interface. */
#define START_RECEIVING REGISTER(0x40002000)
#define START_SENDING REGISTER(0x40002008)
#define RECEIVED REGISTER(0x40002108)
#define SENT REGISTER(0x4000211C)
#define UART_INTERRUPTS_ON REGISTER(0x40002304)
#define UART_INTERRUPTS_OFF REGISTER(0x40002308)
/* Overrun, parity, framing, break: which of the bytes that the UART holds it was, it does not say. */
#define ERRORS REGISTER(0x40002480)
enum { HELD = 6 };
#define UART_ENABLE REGISTER(0x40002500)
#define PIN_TXD REGISTER(0x4000250C)
#define PIN_RXD REGISTER(0x40002514)
#define RXD REGISTER(0x40002518)
#define TXD REGISTER(0x4000251C)
#define BAUD REGISTER(0x40002524)
enum { BAUD_115200 = 0x01D7E000, ON_RECEIVED = 1 << 2, ON_SENT = 1 << 7, UART = 1 << 2, TIMER = 1 << 8 };

/* A timer that counts microseconds. */
#define TIMER_START REGISTER(0x40008000)
#define TIMER_COMPARED REGISTER(0x40008140)
#define TIMER_SHORTCUTS REGISTER(0x40008200)
#define TIMER_INTERRUPTS_ON REGISTER(0x40008304)
#define TIMER_BITS REGISTER(0x40008508)
#define TIMER_PRESCALER REGISTER(0x40008510)
#define TIMER_COMPARE REGISTER(0x40008540)

/* The LED at the upper left: its row is driven high and its column low. */
#define PINS_OUT REGISTER(0x50000504)
#define PINS_SET REGISTER(0x50000508)
#define PINS_CLEAR REGISTER(0x5000050C)
#define PINS_ARE_OUTPUTS REGISTER(0x50000518)
enum { ROW = 1 << 13, COLUMN = 1 << 4, TXD_PIN = 24, RXD_PIN = 25 };

#define SET_ENABLE REGISTER(0xE000E100)

extern uint32_t stack_top[];
_Noreturn void start(void);
_Noreturn void reset(void);

_Noreturn void reset(void) {
    start();
}

/* A fault: the chip stops, and its watchdog, if it runs, starts it again. */
static void halt(void) {
    for (;;) {
    }
}

/* Milliseconds, and how often 32 bits of them have wrapped. */
static volatile uint32_t milliseconds, wraps;

/* So many bytes more may be those that came with an error. */
static uint8_t spoilt;

/* A byte was sent, so its end can be waited for. */
static bool sending;

static void on_uart(void) {
    /* The end of sending wakes once; who sends asks for the next. */
    UART_INTERRUPTS_OFF = ON_SENT;
    uart_received();
}

static void on_tick(void) {
    TIMER_COMPARED = 0;
    milliseconds = milliseconds + 1;
    if (milliseconds == 0) wraps = wraps + 1;
    uart_wake();
}

__attribute__((section(".vectors"), used)) void (*const VECTORS[25])(void) = {
    (void (*)(void))stack_top, reset, halt, halt, halt, halt, halt, halt, halt, halt, halt, halt, halt, halt, halt, halt,
    halt, halt, on_uart, halt, halt, halt, halt, halt, on_tick,
};

void board_init(void) {
    CLOCK_START = 1;
    PINS_SET = 1u << TXD_PIN; /* a line at rest is high, also before the UART has it */
    PINS_ARE_OUTPUTS = ROW | COLUMN | 1u << TXD_PIN;
    PIN_TXD = TXD_PIN;
    PIN_RXD = RXD_PIN;
    BAUD = BAUD_115200;
    UART_ENABLE = 4;
    START_RECEIVING = 1;
    START_SENDING = 1;
    UART_INTERRUPTS_ON = ON_RECEIVED;
    TIMER_BITS = 3;
    TIMER_PRESCALER = 4;
    TIMER_COMPARE = 1000;
    TIMER_SHORTCUTS = 1; /* it begins anew at the comparison */
    TIMER_INTERRUPTS_ON = 1u << 16;
    SET_ENABLE = UART | TIMER;
    TIMER_START = 1;
}

int board_receive(void) {
    if (RECEIVED == 0) {
        spoilt = 0;
        return -1;
    }
    RECEIVED = 0;
    uint32_t byte = RXD & 0xFF, errors = ERRORS;
    if (errors != 0) {
        ERRORS = errors;
        spoilt = HELD;
    }
    if (spoilt == 0) return (int)byte;
    spoilt--;
    return 0;
}

bool board_send(uint8_t byte) {
    if (sending && SENT == 0) {
        UART_INTERRUPTS_ON = ON_SENT;
        return false;
    }
    sending = true;
    SENT = 0;
    TXD = byte;
    return true;
}

void board_listen(bool yes) {
    if (yes)
        UART_INTERRUPTS_ON = ON_RECEIVED;
    else
        UART_INTERRUPTS_OFF = ON_RECEIVED;
}

uint64_t board_now(void) {
    uint32_t high, low;
    do {
        high = wraps;
        low = milliseconds;
    } while (high != wraps);
    return (uint64_t)high << 32 | low;
}

void board_set_led(bool on) {
    PINS_CLEAR = COLUMN;
    if (on)
        PINS_SET = ROW;
    else
        PINS_CLEAR = ROW;
}

uint32_t board_led(void) {
    return PINS_OUT >> 13 & 1;
}
