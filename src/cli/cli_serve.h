/*
 * One page on the loopback interface, for a browser that cannot read our files (one
 * in a container, or at the other end of an ssh tunnel).
 *
 * Only this machine can connect, and the address has a random word in it, so that
 * neither another user here nor a web site in the same browser can guess it.  A request must name
 * this machine as its host; heads of 16 KiB, bodies, slow clients and more than 64 connections at a
 * time are refused.
 */
#ifndef HD_CLI_SERVE_H
#define HD_CLI_SERVE_H

#include "base/base.h"

typedef void hd_cli_serve_ready(void *context, const char *address);

/* Serves the file until the process is ended, or the clock is over; `port` 0: any.  The file may be
 * removed once `ready` was called with the address.  Returns only with an error. */
bool hd_cli_serve(const char *path, uint16_t port, hd_cli_serve_ready *ready, void *context,
                  hd_error *error);

#endif
