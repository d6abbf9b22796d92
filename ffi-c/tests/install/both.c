/* Two Rust libraries in one program. */
#include <stdint.h>
#include <stdio.h>

#include <wireline.h>

uint32_t other_sum(uint32_t count);

int main(void) {
    printf("%s %u\n", wireline_status_name(WIRELINE_OK), (unsigned)other_sum(10));
    return 0;
}
