#include "sensor.h"

#include "board.h"

/* Milliseconds from one sample to the next, and so from one word of progress to the next: 20 a second, as docs/uart.md has it. */
enum { PERIOD = 50 };

/* For times of a few milliseconds 32 bits are enough, which wrap. */
static uint32_t now(void) {
    return (uint32_t)board_now();
}

void sensor_begin(sensor_reading *reading, uint64_t handle, uint16_t samples) {
    reading->handle = handle;
    reading->samples = samples;
    reading->taken = 0;
    reading->sum = 0;
    reading->due = now() + PERIOD;
}

bool sensor_is_due(const sensor_reading *reading) {
    return reading->samples != 0 && now() - reading->due < UINT32_MAX / 2;
}

void sensor_sample(sensor_reading *reading) {
    /* Around 21.50. */
    reading->sum += 2145u + reading->taken * 7u % 11u;
    reading->taken++;
    reading->due += PERIOD;
    /* Late by more than a period: what was missed is not made up for all at once. */
    if (sensor_is_due(reading)) reading->due = now() + PERIOD;
}

uint32_t sensor_mean(const sensor_reading *reading) {
    return reading->sum / reading->taken;
}
