/* A server as a child process, its standard input and output in our hands. POSIX. */
#ifndef CHILD_H
#define CHILD_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct child {
    pid_t id;
    int to, from;
};

/* A pipe that no other child inherits: it would never see its end. */
static int private_pipe(int ends[2]) {
    if (pipe(ends) != 0) return 0;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 1;
}

/* Starts a command; 0 if it cannot. Its standard error is ours. */
static int child_start(struct child *child, char **command) {
    int in[2], out[2];
    if (!private_pipe(in) || !private_pipe(out)) return 0;
    child->id = fork();
    if (child->id < 0) return 0;
    if (child->id == 0) {
        signal(SIGPIPE, SIG_DFL);
        dup2(in[0], 0);
        dup2(out[1], 1);
        execvp(command[0], command);
        perror(command[0]);
        _exit(127);
    }
    /* Ours alone: a server that no longer reads is told by a failed write. */
    signal(SIGPIPE, SIG_IGN);
    close(in[0]);
    close(out[1]);
    child->to = in[1];
    child->from = out[0];
    return 1;
}

/* Ends it as the protocol asks: its input is closed; if it stays, it is told to end. */
static int child_end(struct child *child) {
    int status = 0, waited;
    close(child->to);
    for (waited = 0; waited < 200; waited++) {
        struct timespec pause = {0, 10 * 1000 * 1000};
        if (waitpid(child->id, &status, WNOHANG) == child->id) return status;
        nanosleep(&pause, NULL);
    }
    kill(child->id, SIGTERM);
    waitpid(child->id, &status, 0);
    return status;
}

/* Writes all of it; 0 if nobody reads any more. */
static int write_all(int to, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t written = write(to, bytes, length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return 0;
        bytes += written;
        length -= (size_t)written;
    }
    return 1;
}

/* Reads what there is; 0 at the end. */
static size_t read_some(int from, void *into, size_t room) {
    ssize_t got;
    do got = read(from, into, room);
    while (got < 0 && errno == EINTR);
    return got > 0 ? (size_t)got : 0;
}

/* Milliseconds of a clock that never goes back. */
static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

#endif
