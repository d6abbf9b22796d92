/* On a host: whether the tables are right, which the chip takes on trust. `make check` builds and runs it. */
#include <stdio.h>

#include "tables.h"

int main(void) {
    static uint64_t memory[WIRELINE_TABLE_WORDS(TOOLS, RESOURCES, 0, 0, 0)];
    static wireline_toolkit toolkit;
    wireline_table_error why;
    wireline_status status =
        wireline_toolkit_init(WIRELINE_SELF(&toolkit), &board_tables, memory, sizeof memory, &why);
    if (status == WIRELINE_ERR_TABLE)
        fprintf(stderr, "table %u, entry %zu, byte %zu: %.*s\n", (unsigned)why.table, why.index, why.offset,
                WIRELINE_ARG(why.reason));
    else if (status != WIRELINE_OK)
        fprintf(stderr, "%s\n", wireline_status_reason(status));
    return status != WIRELINE_OK;
}
