#include "sensor.h"

#include "board.h"

/* Milliseconds from one sample to the next. */
enum { PERIOD = 20 };

void sensor_begin(sensor_reading *reading, uint64_t handle, uint16_t samples) {
    reading->handle = handle;
    reading->samples = samples;
    reading->taken = 0;
    reading->sum = 0;
    reading->due = board_now() + PERIOD;
}

bool sensor_is_due(const sensor_reading *reading) {
    /* The clock wraps. */
    return reading->samples != 0 && board_now() - reading->due < UINT32_MAX / 2;
}

void sensor_sample(sensor_reading *reading) {
    /* Around 21.50. */
    reading->sum += 2145u + reading->taken * 7u % 11u;
    reading->taken++;
    reading->due += PERIOD;
}

uint32_t sensor_mean(const sensor_reading *reading) {
    return reading->sum / reading->taken;
}
