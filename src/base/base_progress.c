#include "base_progress.h"

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base_text.h"

static const double interval = 0.2;

static atomic_bool allowed = true;
static _Atomic(hd_progress *) on_screen;

double hd_progress_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void hd_progress_allow(bool allow) {
    atomic_store(&allowed, allow);
}

void hd_progress_start(hd_progress *progress, const char *verb, const char *unit, uint64_t total) {
    *progress = (hd_progress){.verb = verb, .unit = unit, .total = total};
    hd_progress *none = NULL;
    if (!atomic_load(&allowed) || !isatty(STDERR_FILENO) ||
        !atomic_compare_exchange_strong(&on_screen, &none, progress))
        return;
    progress->active = true;
    progress->started = progress->shown = hd_progress_clock();
}

static size_t rate_text(char *to, size_t size, double rate) {
    static const char *const scale[] = {"", " k", " M", " G"};
    unsigned step = 0;
    while (rate >= 10000 && step < 3) {
        rate /= 1000;
        step++;
    }
    return (size_t)snprintf(to, size, "%.*f%s", rate < 100 ? 1 : 0, rate, scale[step]);
}

size_t hd_progress_format(char *to, size_t size, const hd_progress *progress, uint64_t done,
                          double seconds) {
    char count[32], rate[32], rest[64] = "";
    double per_second = seconds > 0 ? (double)done / seconds : 0;
    rate_text(rate, sizeof rate, per_second);
    if (progress->total && done <= progress->total && per_second > 0) {
        double left = (double)(progress->total - done) / per_second;
        snprintf(rest, sizeof rest, ", %.0f %%, %.0f s left",
                 100.0 * (double)done / (double)progress->total, left);
    }
    int length = snprintf(to, size, "%s: %s %s, %s/s%s", progress->verb,
                          hd_text_grouped(count, done), progress->unit, rate, rest);
    return length < 0 ? 0 : (size_t)length;
}

void hd_progress_step(hd_progress *progress, uint64_t done) {
    if (!progress->active)
        return;
    double now = hd_progress_clock();
    if (now - progress->shown < interval)
        return;
    progress->shown = now;
    char line[160];
    hd_progress_format(line, sizeof line, progress, done, now - progress->started);
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
}

void hd_progress_hide(void) {
    if (atomic_load(&on_screen)) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}

void hd_progress_end(hd_progress *progress) {
    if (!progress->active)
        return;
    hd_progress_hide();
    progress->active = false;
    atomic_store(&on_screen, NULL);
}
