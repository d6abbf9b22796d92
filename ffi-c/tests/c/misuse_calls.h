/* Every function of the header, and what its arguments are. */
#ifndef MISUSE_CALLS_H
#define MISUSE_CALLS_H

#define SLICE(i) (*(wireline_slice *)p[i])
#define STR(i) (*(wireline_string *)p[i])
/* A pointer of the table as an argument; the table says what it is. */
#define P(i) p[i]
#define CALL(name, ...)                                                                            \
    static wireline_status call_##name(void **p) {                                                 \
        return wireline_##name(__VA_ARGS__);                                                       \
    }
#define SELF(type) P(0), sizeof(type) + off_size, version
/* The id that calls use. */
static wireline_id one(void) {
    return wireline_id_integer(1);
}

CALL(limits_embedded, P(0), sizeof(wireline_limits) + off_size)
CALL(limits_host, P(0), sizeof(wireline_limits) + off_size)
CALL(decoder_init, SELF(wireline_decoder), P(1), 256, P(2))
CALL(decoder_spare, P(0), P(1))
CALL(decoder_commit, P(0), 0)
CALL(decoder_next, P(0), P(1))
CALL(decoder_next_in, P(0), P(1), 4, P(2), P(3))
CALL(decoder_finish, P(0), P(1))
CALL(decoder_pending, P(0), P(1))
CALL(decoder_is_closed, P(0), P(1))
CALL(decoder_position, P(0), P(1), P(2))
CALL(decoder_limits, P(0), P(1))
CALL(decoder_reset, P(0))
CALL(parse, P(0), 4, P(1), P(2))
CALL(counters_record, P(0), P(1))
CALL(stream_needed, P(0), P(1))
CALL(stream_init, SELF(wireline_stream), P(1), 512, P(2))
CALL(stream_step, P(0), P(1), 4, P(2), P(3))
CALL(stream_finish, P(0), P(1))
CALL(stream_is_closed, P(0), P(1))
CALL(stream_reset, P(0))
CALL(item_meta, P(0), P(1))
CALL(item_error, P(0), P(1))
CALL(json_validate, P(0), 4, P(1), P(2))
CALL(json_kind_of, SLICE(0), P(1))
CALL(json_member, SLICE(0), SLICE(1), P(2))
CALL(json_count, SLICE(0), P(1))
CALL(json_string, SLICE(0), P(1))
CALL(json_compact, SLICE(0), P(1), 64, P(2))
CALL(json_iter_init, SELF(wireline_json_iter), SLICE(1))
CALL(json_iter_next, P(0), P(1), P(2), P(3))
CALL(string_equals, STR(0), SLICE(1), P(2))
CALL(string_unescape, STR(0), P(1), 64, P(2))
CALL(id_equals, SLICE(0), SLICE(1), P(2))
CALL(json_writer_init, SELF(wireline_json_writer), P(1), 64)
CALL(json_writer_begin_object, P(0))
CALL(json_writer_end_object, P(0))
CALL(json_writer_begin_array, P(0))
CALL(json_writer_end_array, P(0))
CALL(json_writer_key, P(0), SLICE(1))
CALL(json_writer_string, P(0), SLICE(1))
CALL(json_writer_base64, P(0), P(1), 4)
CALL(json_writer_integer, P(0), 1)
CALL(json_writer_unsigned, P(0), 1)
CALL(json_writer_decimal, P(0), SLICE(1))
CALL(json_writer_bool, P(0), true)
CALL(json_writer_null, P(0))
CALL(json_writer_raw, P(0), SLICE(1))
CALL(json_writer_length, P(0), P(1))
CALL(write, P(0), P(1), 64, P(2))
CALL(write_request, one(), SLICE(0), SLICE(1), P(2), 64, P(3))
CALL(write_notification, SLICE(0), SLICE(1), P(2), 64, P(3))
CALL(write_result, one(), SLICE(0), P(1), 64, P(2))
CALL(write_error, one(), 1, SLICE(0), SLICE(1), P(2), 64, P(3))
CALL(write_renumbered, P(0), P(1), P(2), 64, P(3))
CALL(write_with_id, P(0), one(), P(1), 64, P(2))
CALL(message_writer_init, SELF(wireline_message_writer), P(1))
CALL(message_writer_body, P(0), P(1), 0, P(2), P(3), 64, P(4))
CALL(message_writer_text, P(0), P(1), 4, P(2), P(3), 64, P(4))
CALL(message_writer_base64, P(0), P(1), 4, P(2), P(3), 64, P(4))
CALL(message_writer_begin_text, P(0))
CALL(message_writer_begin_base64, P(0))
CALL(message_writer_end_string, P(0))
CALL(message_writer_finish, P(0), P(1), 64, P(2))
CALL(message_writer_abort, P(0), P(1), 64, P(2))
CALL(forward_init, SELF(wireline_forward), one())
CALL(forward_head, P(0), P(1), one(), P(2), 64, P(3))
CALL(forward_body, P(0), WIRELINE_PART_PARAMS, P(1), 4, P(2), P(3), 64, P(4))
CALL(forward_end, P(0), P(1), one(), P(2), 64, P(3))
CALL(forward_give_up, P(0), P(1), 64, P(2))
CALL(pieces_init, SELF(wireline_pieces), P(1))
CALL(pieces_init_renumbered, SELF(wireline_pieces), P(1), P(2))
CALL(pieces_fill, P(0), P(1), 64, P(2))
CALL(pieces_remaining, P(0), P(1))
CALL(method_of, STR(0), P(1))
CALL(method_may_send, WIRELINE_METHOD_PING, WIRELINE_SIDE_CLIENT, WIRELINE_REVISION_2025_11_25, P(0))
CALL(capability_path, WIRELINE_CAPABILITY_TOOLS, P(0))
CALL(revision_of, STR(0), P(1))
CALL(log_level_of, STR(0), P(1))
CALL(json_writer_finish, P(0), P(1))
CALL(json_element, SLICE(0), 0, P(1))
CALL(json_integer, SLICE(0), P(1))
CALL(json_unsigned, SLICE(0), P(1))
CALL(json_bool, SLICE(0), P(1))

CALL(settings_default, P(0), sizeof(wireline_settings) + off_size)
CALL(config_init, SELF(wireline_config), P(1))
CALL(filter_read, SLICE(0), P(1))
CALL(send_lines, P(0), P(1))
CALL(send_write, P(0), P(1), 512, P(2))
CALL(pieces_init_send, SELF(wireline_pieces), P(1), 0)
CALL(toolkit_needed, P(0), P(1))
CALL(toolkit_init, SELF(wireline_toolkit), P(1), P(2), sizeof(uint64_t[WIRELINE_TABLE_WORDS(1, 0, 0, 0, 0)]), P(3))
CALL(toolkit_init_trusted, SELF(wireline_toolkit), P(1), P(2), sizeof(uint64_t[WIRELINE_TABLE_WORDS(1, 0, 0, 0, 0)]))
CALL(toolkit_capabilities, P(0), P(1))
CALL(questions_init, SELF(wireline_questions), P(1), 1)
CALL(client_init, SELF(wireline_client), P(1), P(2))
CALL(client_connect, P(0), 0, P(1))
CALL(client_connect_legacy, P(0), 0, P(1))
CALL(client_assume, P(0), WIRELINE_REVISION_2026_07_28, 0)
CALL(client_retry, P(0), 1, SLICE(1), SLICE(2), STR(3), P(4), 0, P(5))
CALL(client_listen, P(0), P(1), 0, P(2), P(3))
CALL(server_init, SELF(wireline_server), P(1), P(2), P(3))
CALL(server_serve, P(0), P(1), 0, P(2), P(3))
CALL(server_finish_text, P(0), 1, SLICE(1), false, P(2))
CALL(server_finish, P(0), 1, P(1), P(2))
CALL(server_acknowledge, P(0), 1, P(1))
CALL(server_not_found, P(0), 1, P(1))
CALL(server_set_toolkit, P(0), P(1))
CALL(server_ask, P(0), 1, P(1), SLICE(2), P(3))
CALL(server_fail_for_capability, P(0), 1, WIRELINE_CAPABILITY_ROOTS, P(1))
CALL(server_accept, P(0), 1, P(1), P(2))
CALL(server_changed, P(0), WIRELINE_CHANGE_RESOURCE, SLICE(1), P(2), P(3), P(4))
CALL(server_changed_for, P(0), 1, WIRELINE_CHANGE_RESOURCE, SLICE(1), P(2))
CALL(server_end_subscription, P(0), 1, P(1))
CALL(server_log, P(0), 0, WIRELINE_LOG_ERROR, SLICE(1), SLICE(2), P(3))
CALL(client_receive, P(0), P(1), 0, P(2))
CALL(client_respond, P(0), 1, SLICE(1), P(2))
CALL(client_respond_with, P(0), 1, P(1), P(2))
CALL(client_fail, P(0), 1, 1, SLICE(1), SLICE(2), P(3))
CALL(client_progress, P(0), 1, P(1), P(2))
CALL(client_request, P(0), SLICE(1), SLICE(2), P(3), 0, P(4), P(5))
CALL(client_ping, P(0), 0, P(1), P(2))
CALL(client_notify, P(0), SLICE(1), SLICE(2), P(3))
CALL(client_cancel, P(0), 1, SLICE(1), P(2))
CALL(client_poll_timeout, P(0), P(1))
CALL(client_expire, P(0), 0, P(1), P(2))
CALL(client_close, P(0), P(1), P(2))
CALL(client_info, P(0), P(1))
CALL(client_incoming, P(0), 1, P(1))
CALL(client_route, P(0), P(1), P(2), P(3))
CALL(client_take_batch, P(0), P(1))
CALL(client_respond_with_task, P(0), 1, P(1), P(2))
CALL(client_end_task, P(0), 1)
CALL(server_receive, P(0), P(1), 0, P(2))
CALL(server_respond, P(0), 1, SLICE(1), P(2))
CALL(server_respond_with, P(0), 1, P(1), P(2))
CALL(server_fail, P(0), 1, 1, SLICE(1), SLICE(2), P(3))
CALL(server_progress, P(0), 1, P(1), P(2))
CALL(server_request, P(0), SLICE(1), SLICE(2), P(3), 0, P(4), P(5))
CALL(server_ping, P(0), 0, P(1), P(2))
CALL(server_notify, P(0), SLICE(1), SLICE(2), P(3))
CALL(server_cancel, P(0), 1, SLICE(1), P(2))
CALL(server_poll_timeout, P(0), P(1))
CALL(server_expire, P(0), 0, P(1), P(2))
CALL(server_close, P(0), P(1), P(2))
CALL(server_info, P(0), P(1))
CALL(server_incoming, P(0), 1, P(1))
CALL(server_route, P(0), P(1), P(2), P(3))
CALL(server_take_batch, P(0), P(1))
CALL(server_respond_with_task, P(0), 1, P(1), P(2))
CALL(server_end_task, P(0), 1)
CALL(monitor_init, SELF(wireline_monitor), P(1), 0)
CALL(monitor_line, P(0), WIRELINE_SIDE_CLIENT, P(1), 0, 0, P(2))
CALL(monitor_gap, P(0), WIRELINE_SIDE_CLIENT)
CALL(monitor_end, P(0), 0, 0, P(1), P(2))
CALL(monitor_reset, P(0))
CALL(monitor_seen, P(0), P(1))
CALL(item_broken, P(0), P(1))

#define ROW(name, ...) {"wireline_" #name, call_##name, WIRELINE_OK, {__VA_ARGS__, END}}
/* A call that comes to another status in a session of which nothing is known. */
#define ROW_TO(wanted, name, ...) {"wireline_" #name, call_##name, WIRELINE_ERR_##wanted, {__VA_ARGS__, END}}

static const function TABLE[] = {
    ROW(limits_embedded, PRESET),
    ROW(limits_host, PRESET),
    ROW(decoder_init, NEW, ROOM, LIMITS_IN),
    ROW(decoder_spare, DECODER, OUT),
    ROW(decoder_commit, DECODER),
    ROW(decoder_next, DECODER, ITEM_OUT),
    ROW(decoder_next_in, DECODER, BYTES, OUT, ITEM_OUT),
    ROW(decoder_finish, DECODER, ITEM_OUT),
    ROW(decoder_pending, DECODER, PENDING_OUT),
    ROW(decoder_is_closed, DECODER, OUT),
    ROW(decoder_position, DECODER, OUT, OUT),
    ROW(decoder_limits, DECODER, LIMITS_OUT),
    ROW(decoder_reset, DECODER),
    ROW(parse, BYTES, LIMITS_IN, ITEM_OUT),
    ROW(counters_record, COUNTERS, MESSAGE_IN),
    ROW(stream_needed, LIMITS_IN, OUT),
    ROW(stream_init, NEW, ROOM, LIMITS_IN),
    ROW(stream_step, STREAM, BYTES, OUT, ITEM_OUT),
    ROW(stream_finish, STREAM, ITEM_OUT),
    ROW(stream_is_closed, STREAM, OUT),
    ROW(stream_reset, STREAM),
    ROW(item_meta, MESSAGE_IN, META_OUT),
    ROW(item_error, ERROR_IN, ERROR_OUT),
    ROW(json_validate, BYTES, OUT, OUT_MAYBE),
    ROW(json_kind_of, VALUE, OUT),
    ROW(json_member, VALUE, TEXT, OUT),
    ROW(json_element, VALUE, OUT),
    ROW(json_count, VALUE, OUT),
    ROW(json_integer, VALUE, OUT),
    ROW(json_unsigned, VALUE, OUT),
    ROW(json_bool, VALUE, OUT),
    ROW(json_string, VALUE, OUT),
    ROW(json_compact, VALUE, ROOM, OUT),
    ROW(json_iter_init, NEW, VALUE),
    ROW(json_iter_next, ITER, OUT, OUT_MAYBE, OUT),
    ROW(string_equals, STRING, TEXT, OUT),
    ROW(string_unescape, STRING, ROOM, OUT),
    ROW(id_equals, TEXT, TEXT, OUT),
    ROW(json_writer_init, NEW, ROOM),
    ROW(json_writer_begin_object, JSON_WRITER),
    ROW(json_writer_end_object, JSON_WRITER),
    ROW(json_writer_begin_array, JSON_WRITER),
    ROW(json_writer_end_array, JSON_WRITER),
    ROW(json_writer_key, JSON_WRITER, TEXT),
    ROW(json_writer_string, JSON_WRITER, TEXT),
    ROW(json_writer_base64, JSON_WRITER, BYTES),
    ROW(json_writer_integer, JSON_WRITER),
    ROW(json_writer_unsigned, JSON_WRITER),
    ROW(json_writer_decimal, JSON_WRITER, TEXT),
    ROW(json_writer_bool, JSON_WRITER),
    ROW(json_writer_null, JSON_WRITER),
    ROW(json_writer_raw, JSON_WRITER, TEXT),
    ROW(json_writer_length, JSON_WRITER, OUT),
    ROW(json_writer_finish, JSON_WRITER, OUT),
    ROW(write, OUTGOING, ROOM, OUT),
    ROW(write_request, TEXT, TEXT_MAYBE, ROOM, OUT),
    ROW(write_notification, TEXT, TEXT_MAYBE, ROOM, OUT),
    ROW(write_result, TEXT_MAYBE, ROOM, OUT),
    ROW(write_error, TEXT, TEXT_MAYBE, ROOM, OUT),
    ROW(write_renumbered, MESSAGE_IN, RENUMBER, ROOM, OUT),
    ROW(write_with_id, MESSAGE_IN, ROOM, OUT),
    ROW(message_writer_init, NEW, OUTGOING),
    ROW(message_writer_body, MESSAGE_WRITER, BYTES, OUT, ROOM, OUT),
    ROW(message_writer_text, MESSAGE_WRITER, BYTES, OUT, ROOM, OUT),
    ROW(message_writer_base64, MESSAGE_WRITER, BYTES, OUT, ROOM, OUT),
    ROW(message_writer_begin_text, MESSAGE_WRITER),
    ROW(message_writer_begin_base64, MESSAGE_WRITER),
    ROW(message_writer_end_string, MESSAGE_WRITER),
    ROW(message_writer_finish, MESSAGE_WRITER, ROOM, OUT),
    ROW(message_writer_abort, MESSAGE_WRITER, ROOM, OUT),
    ROW(forward_init, NEW),
    ROW(forward_head, FORWARD, HEAD_IN, ROOM, OUT),
    ROW(forward_body, FORWARD, BYTES, OUT, ROOM, OUT),
    ROW(forward_end, FORWARD, END_IN, ROOM, OUT),
    ROW(forward_give_up, FORWARD, ROOM, OUT),
    ROW(pieces_init, NEW, OUTGOING),
    ROW(pieces_init_renumbered, NEW, MESSAGE_IN, RENUMBER),
    ROW(pieces_fill, PIECES, ROOM, OUT),
    ROW(pieces_remaining, PIECES, OUT),
    ROW(method_of, STRING, OUT),
    ROW(method_may_send, OUT),
    ROW(revision_of, STRING, OUT),
    ROW(capability_path, OUT),
    ROW(log_level_of, STRING, OUT),
    ROW(settings_default, DEFAULTS),
    ROW(config_init, NEW, SETTINGS),
    ROW(filter_read, VALUE, FILTER_OUT),
    ROW(send_lines, SEND_IN, OUT),
    ROW(send_write, SEND_IN, ROOM, OUT),
    ROW(pieces_init_send, NEW, SEND_IN),
    ROW(toolkit_needed, TABLES, OUT),
    ROW(toolkit_init, NEW, TABLES, ALIGNED, OUT_MAYBE),
    ROW(toolkit_init_trusted, NEW, TABLES, ALIGNED),
    ROW(toolkit_capabilities, TOOLKIT, OUT),
    ROW(questions_init, NEW, INPUT_REQUEST),
    ROW(client_init, NEW, CONFIG, SLOTS),
    ROW(client_connect, CLIENT, SEND_OUT),
    ROW(client_connect_legacy, CLIENT, SEND_OUT),
    ROW(client_assume, CLIENT),
    ROW_TO(STALE_HANDLE, client_retry, CLIENT, TEXT_MAYBE, TEXT_MAYBE, STRING, OPTIONS_MAYBE, SEND_OUT),
    ROW_TO(NOT_READY, client_listen, CLIENT, FILTER, OUT, SEND_OUT),
    ROW(server_init, NEW, CONFIG, TOOLKIT_MAYBE, SLOTS),
    ROW(server_serve, SERVER, MESSAGE_IN, STEP, WANTED),
    ROW_TO(STALE_HANDLE, server_finish_text, SERVER, TEXT, SEND_OUT),
    ROW_TO(STALE_HANDLE, server_finish, SERVER, REPLY, SEND_OUT),
    ROW_TO(STALE_HANDLE, server_acknowledge, SERVER, SEND_OUT),
    ROW_TO(STALE_HANDLE, server_not_found, SERVER, SEND_OUT),
    ROW(server_set_toolkit, SERVER, TOOLKIT),
    ROW_TO(STALE_HANDLE, server_ask, SERVER, QUESTIONS_MAYBE, TEXT_ABSENT, SEND_OUT),
    ROW_TO(STALE_HANDLE, server_fail_for_capability, SERVER, SEND_OUT),
    ROW_TO(STALE_HANDLE, server_accept, SERVER, FILTER, SEND_OUT),
    ROW(server_changed, SERVER, TEXT, OUT, SEND_OUT, OUT),
    ROW_TO(STALE_HANDLE, server_changed_for, SERVER, TEXT, SEND_OUT),
    ROW_TO(STALE_HANDLE, server_end_subscription, SERVER, SEND_OUT),
    ROW_TO(NOT_READY, server_log, SERVER, TEXT_ABSENT, TEXT_MAYBE, SEND_OUT),
    ROW(client_receive, CLIENT, MESSAGE_IN, STEP),
    ROW_TO(STALE_HANDLE, client_respond, CLIENT, TEXT_MAYBE, SEND_OUT),
    ROW_TO(STALE_HANDLE, client_respond_with, CLIENT, REPLY, SEND_OUT),
    ROW_TO(STALE_HANDLE, client_fail, CLIENT, TEXT, TEXT_MAYBE, SEND_OUT),
    ROW_TO(STALE_HANDLE, client_progress, CLIENT, PROGRESS, SEND_OUT),
    ROW_TO(NOT_READY, client_request, CLIENT, TEXT, TEXT_MAYBE, OPTIONS_MAYBE, OUT, SEND_OUT),
    ROW_TO(NOT_READY, client_ping, CLIENT, OUT, SEND_OUT),
    ROW_TO(NOT_READY, client_notify, CLIENT, TEXT, TEXT_MAYBE, SEND_OUT),
    ROW_TO(STALE_HANDLE, client_cancel, CLIENT, TEXT_ABSENT, STEP),
    ROW(client_poll_timeout, CLIENT, OUT),
    ROW(client_expire, CLIENT, STEP, OUT),
    ROW(client_close, CLIENT, STEP, OUT),
    ROW(client_info, CLIENT, INFO),
    ROW_TO(STALE_HANDLE, client_incoming, CLIENT, INCOMING),
    ROW(client_route, CLIENT, HEAD_IN, OUT, OUT),
    ROW(client_take_batch, CLIENT, OUT),
    ROW_TO(STALE_HANDLE, client_respond_with_task, CLIENT, REPLY, SEND_OUT),
    ROW(client_end_task, CLIENT),
    ROW(server_receive, SERVER, MESSAGE_IN, STEP),
    ROW_TO(STALE_HANDLE, server_respond, SERVER, TEXT_MAYBE, SEND_OUT),
    ROW_TO(STALE_HANDLE, server_respond_with, SERVER, REPLY, SEND_OUT),
    ROW_TO(STALE_HANDLE, server_fail, SERVER, TEXT, TEXT_MAYBE, SEND_OUT),
    ROW_TO(STALE_HANDLE, server_progress, SERVER, PROGRESS, SEND_OUT),
    ROW_TO(NOT_READY, server_request, SERVER, TEXT, TEXT_MAYBE, OPTIONS_MAYBE, OUT, SEND_OUT),
    ROW_TO(NOT_READY, server_ping, SERVER, OUT, SEND_OUT),
    ROW_TO(NOT_READY, server_notify, SERVER, TEXT, TEXT_MAYBE, SEND_OUT),
    ROW_TO(STALE_HANDLE, server_cancel, SERVER, TEXT_ABSENT, STEP),
    ROW(server_poll_timeout, SERVER, OUT),
    ROW(server_expire, SERVER, STEP, OUT),
    ROW(server_close, SERVER, STEP, OUT),
    ROW(server_info, SERVER, INFO),
    ROW_TO(STALE_HANDLE, server_incoming, SERVER, INCOMING),
    ROW(server_route, SERVER, HEAD_IN, OUT, OUT),
    ROW(server_take_batch, SERVER, OUT),
    ROW_TO(STALE_HANDLE, server_respond_with_task, SERVER, REPLY, SEND_OUT),
    ROW(server_end_task, SERVER),
    ROW(monitor_init, NEW, MONITOR_SLOTS),
    ROW(monitor_line, MONITOR, MESSAGE_IN, FINDING),
    ROW(monitor_gap, MONITOR),
    ROW(monitor_end, MONITOR, FINDING, OUT),
    ROW(monitor_reset, MONITOR),
    ROW(monitor_seen, MONITOR, MONITOR_INFO),
    ROW(item_broken, MESSAGE_IN, OUT),
};

#endif
