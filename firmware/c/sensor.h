/*
 * A sensor that takes its time. The boards that are emulated have none, so this one follows a fixed curve; a real
 * board starts its converter in sensor_begin and reads it in sensor_sample.
 */
#ifndef SENSOR_H
#define SENSOR_H

#include <stdbool.h>
#include <stdint.h>

/* A reading that is being taken; none, while `samples` is 0. */
typedef struct {
    uint64_t handle;
    uint32_t sum, due;
    uint16_t samples, taken;
} sensor_reading;

void sensor_begin(sensor_reading *reading, uint64_t handle, uint16_t samples);

/* Whether a sample is to be taken now. */
bool sensor_is_due(const sensor_reading *reading);

void sensor_sample(sensor_reading *reading);

/* The mean in hundredths of a degree Celsius. */
uint32_t sensor_mean(const sensor_reading *reading);

#endif
