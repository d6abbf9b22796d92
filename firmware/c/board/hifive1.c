/* SiFive HiFive1: an FE310, an E31 core (RV32IMAC), two UARTs. */
#include "board.h"
#include "uart.h"

const char board_info[] = "hifive1, RV32IMAC, C";

/* Ticks of the clock in a millisecond: that of the emulator. A board's own runs at 32768 Hz, 33 in a millisecond. */
enum { TICKS = 10000 };

/* The clock: a ring oscillator of some 14 MHz after reset, too far off for a UART, or the crystal. */
#define CRYSTAL REGISTER(0x10008004)
#define PLL REGISTER(0x10008008)
#define PLL_DIVIDER REGISTER(0x1000800C)

/* UART0. It has no error flags: what it loses while its eight bytes are full, or takes wrongly, nobody is told of. */
#define SEND REGISTER(0x10013000)
#define RECEIVE REGISTER(0x10013004)
#define SEND_CONTROL REGISTER(0x10013008)
#define RECEIVE_CONTROL REGISTER(0x1001300C)
#define UART_INTERRUPTS REGISTER(0x10013010)
#define UART_DIVIDER REGISTER(0x10013018)
/* Of the crystal's 16 MHz: 115200 baud. */
enum { ON_SENT = 1, ON_RECEIVED = 2, DIVIDER = 138 };

/* The interrupt controller: of its sources, UART0 is number 3. */
#define PRIORITY REGISTER(0x0C00000C)
#define ENABLED REGISTER(0x0C002000)
#define THRESHOLD REGISTER(0x0C200000)
#define CLAIM REGISTER(0x0C200004)
enum { UART = 3 };

#define TIME REGISTER(0x0200BFF8)
#define TIME_HIGH REGISTER(0x0200BFFC)
#define COMPARE REGISTER(0x02004000)
#define COMPARE_HIGH REGISTER(0x02004004)

#define PINS_ARE_OUTPUTS REGISTER(0x10012008)
#define PIN_VALUES REGISTER(0x1001200C)
#define PIN_FUNCTIONS REGISTER(0x10012038)
#define PIN_FUNCTION_CHOICE REGISTER(0x1001203C)
/* The green LED shines while its pin is low. */
#define GREEN (1u << 19)
/* Pins 16 and 17, RX and TX, of which the UART is the first function. */
#define UART_PINS (3u << 16)

#define TIMER_CAUSE 0x80000007u
#define EXTERNAL_CAUSE 0x8000000Bu

__asm__(".section .vectors, \"ax\"\n"
        ".global reset\n"
        ".global VECTORS\n"
        "VECTORS:\n"
        "reset:\n"
        "la sp, stack_top\n"
        "la t0, on_trap\n"
        "csrw mtvec, t0\n"
        "j start\n"
        ".text\n");

static uint64_t ticks(void) {
    uint32_t high, low;
    do {
        high = TIME_HIGH;
        low = TIME;
    } while (TIME_HIGH != high);
    return (uint64_t)high << 32 | low;
}

/* The next interrupt of the clock comes in a millisecond. */
static void tick(void) {
    uint64_t next = ticks() + TICKS;
    COMPARE_HIGH = UINT32_MAX; /* never a moment that has passed on the way */
    COMPARE = (uint32_t)next;
    COMPARE_HIGH = (uint32_t)(next >> 32);
}

__attribute__((interrupt, aligned(4), used)) void on_trap(void);
void on_trap(void) {
    uint32_t cause, source;
    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    switch (cause) {
    case TIMER_CAUSE:
        tick();
        uart_wake();
        break;
    case EXTERNAL_CAUSE:
        source = CLAIM;
        /* The end of sending wakes once; who sends asks for the next. */
        UART_INTERRUPTS &= ~(uint32_t)ON_SENT;
        uart_received();
        CLAIM = source;
        break;
    default: /* a fault: the chip stops, and its watchdog, if it runs, starts it again */
        for (;;) {
        }
    }
}

void board_init(void) {
    CRYSTAL = 1u << 30;
    while (CRYSTAL >> 31 == 0) { /* until it swings */
    }
    PLL_DIVIDER = 1u << 8; /* past the PLL, and undivided */
    PLL = 3u << 17;
    PLL = 7u << 16;
    PIN_VALUES = GREEN;
    PINS_ARE_OUTPUTS = GREEN;
    PIN_FUNCTION_CHOICE = 0;
    PIN_FUNCTIONS = UART_PINS;
    UART_DIVIDER = DIVIDER;
    SEND_CONTROL = 1u << 16 | 1;
    RECEIVE_CONTROL = 1;
    UART_INTERRUPTS = ON_RECEIVED;
    PRIORITY = 1;
    ENABLED = 1u << UART;
    THRESHOLD = 0;
    tick();
    __asm__ volatile("csrs mie, %0" ::"r"(1u << 7 | 1u << 11));
    board_unmask();
}

int board_receive(void) {
    uint32_t value = RECEIVE;
    return value >> 31 ? -1 : (int)(value & 0xFF);
}

bool board_send(uint8_t byte) {
    if (SEND >> 31) {
        board_mask();
        UART_INTERRUPTS |= ON_SENT;
        board_unmask();
        return false;
    }
    SEND = byte;
    return true;
}

void board_listen(bool yes) {
    if (yes) {
        board_mask();
        UART_INTERRUPTS |= ON_RECEIVED;
        board_unmask();
    } else {
        UART_INTERRUPTS &= ~(uint32_t)ON_RECEIVED; /* by the interrupt alone */
    }
}

uint64_t board_now(void) {
    return ticks() / TICKS;
}

void board_set_led(bool on) {
    PIN_VALUES = on ? 0 : GREEN;
}

uint32_t board_led(void) {
    return (PIN_VALUES & GREEN) == 0;
}

uint32_t board_id(void) {
    uint32_t misa; /* the instruction sets */
    __asm__ volatile("csrr %0, misa" : "=r"(misa));
    return misa;
}

void board_mask(void) {
    __asm__ volatile("csrci mstatus, 8" ::: "memory");
}

void board_unmask(void) {
    __asm__ volatile("csrsi mstatus, 8" ::: "memory");
}

void board_sleep(void) {
    __asm__ volatile("wfi" ::: "memory");
}
