/* What the server has: tables that lie in flash, and that a host has looked at (check.c). */
#ifndef TABLES_H
#define TABLES_H

#include <wireline.h>

/* Bytes of the longest line that is sent, which tool is which, and how many entries there are. */
enum { ANSWER = 404, LED_SET = 0, REGISTER_READ = 1, TOOLS = 3, RESOURCES = 1 };

extern const wireline_tables board_tables;

#endif
