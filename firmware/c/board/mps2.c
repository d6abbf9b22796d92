/* Arm MPS2 with AN386: a Cortex-M4 at 25 MHz, CMSDK UARTs, LEDs on the FPGA's registers. */
#include "board.h"
#include "uart.h"

const char board_info[] = "mps2-an386, Cortex-M4, C";

enum { CLOCK = 25000000, BAUD = 115200 };

#define UART_DATA REGISTER(0x40004000)
#define UART_STATE REGISTER(0x40004004)
#define UART_CONTROL REGISTER(0x40004008)
#define UART_INTERRUPT REGISTER(0x4000400C)
#define UART_DIVIDER REGISTER(0x40004010)
enum { SENT_FULL = 1, RECEIVED_FULL = 2, RECEIVE = 1 << 0, SENT = 1 << 1 };
/* A byte came and was lost, since the one before it had not been taken. Others this UART does not look for. */
enum { OVERRUN = 8 };

#define LEDS REGISTER(0x40028000)
#define SYSTICK_CONTROL REGISTER(0xE000E010)
#define SYSTICK_RELOAD REGISTER(0xE000E014)
#define SYSTICK_VALUE REGISTER(0xE000E018)
#define SET_ENABLE REGISTER(0xE000E100)
#define CLEAR_ENABLE REGISTER(0xE000E180)
#define FPU_ACCESS REGISTER(0xE000ED88)

extern uint32_t stack_top[];
_Noreturn void start(void);
_Noreturn void reset(void);

_Noreturn void reset(void) {
    /* The compiler may keep values in the FPU's registers: full access to it. */
    FPU_ACCESS = 0xFu << 20;
    __asm__ volatile("dsb\nisb");
    start();
}

/* A fault: the chip stops, and its watchdog, if it has one, starts it again. */
static void halt(void) {
    for (;;) {
    }
}

/* Milliseconds, and how often 32 bits of them have wrapped. */
static volatile uint32_t milliseconds, wraps;

static void on_tick(void) {
    milliseconds = milliseconds + 1;
    if (milliseconds == 0) wraps = wraps + 1;
    uart_wake();
}

static void on_sent(void) {
    UART_INTERRUPT = 1;
    uart_wake();
}

__attribute__((section(".vectors"), used)) void (*const VECTORS[18])(void) = {
    (void (*)(void))stack_top, reset, halt, halt, halt, halt, halt, halt, halt, halt, halt, halt, halt, halt, halt, on_tick,
    uart_received, on_sent,
};

void board_init(void) {
    UART_DIVIDER = CLOCK / BAUD;
    UART_CONTROL = 15; /* both directions, and an interrupt for each */
    SET_ENABLE = RECEIVE | SENT;
    SYSTICK_RELOAD = CLOCK / 1000 - 1;
    SYSTICK_VALUE = 0;
    SYSTICK_CONTROL = 7;
}

int board_receive(void) {
    UART_INTERRUPT = 2;
    uint32_t state = UART_STATE;
    if (!(state & RECEIVED_FULL)) return -1;
    uint32_t byte = UART_DATA & 0xFF;
    if (!(state & OVERRUN)) return (int)byte;
    UART_STATE = OVERRUN;
    return 0;
}

bool board_send(uint8_t byte) {
    if (UART_STATE & SENT_FULL) return false;
    UART_DATA = byte;
    return true;
}

void board_listen(bool yes) {
    if (yes)
        SET_ENABLE = RECEIVE;
    else
        CLEAR_ENABLE = RECEIVE;
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
    LEDS = on;
}

uint32_t board_led(void) {
    return LEDS;
}
