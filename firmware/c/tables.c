#include "tables.h"

static const wireline_tool tools[TOOLS] = {
    {.name = WIRELINE_LITERAL("led_set"),
     .description = WIRELINE_LITERAL("Switches the LED"),
     .input_schema = WIRELINE_LITERAL("{\"type\":\"object\",\"properties\":{\"on\":{\"type\":\"boolean\"}},"
                                      "\"required\":[\"on\"]}")},
    {.name = WIRELINE_LITERAL("register_read"),
     .description = WIRELINE_LITERAL("Reads a register"),
     .input_schema = WIRELINE_LITERAL("{\"type\":\"object\",\"properties\":{\"name\":"
                                      "{\"enum\":[\"id\",\"led\"]}},\"required\":[\"name\"]}")},
    {.name = WIRELINE_LITERAL("sensor_read"),
     .description = WIRELINE_LITERAL("Samples the temperature"),
     .input_schema = WIRELINE_LITERAL("{\"type\":\"object\",\"properties\":{\"samples\":{\"type\":\"integer\","
                                      "\"minimum\":1,\"maximum\":1000}}}")},
};
static const wireline_resource resources[RESOURCES] = {{.uri = WIRELINE_LITERAL("board://info"),
                                                        .name = WIRELINE_LITERAL("info"),
                                                        .mime_type = WIRELINE_LITERAL("text/plain")}};

const wireline_tables board_tables = {.size = sizeof(wireline_tables),
                                      .line = ANSWER,
                                      .tools = tools,
                                      .tool_count = TOOLS,
                                      .resources = resources,
                                      .resource_count = RESOURCES};
