/*
 * The viewer, as scripts/embed-viewer puts it into the program: the file that web/
 * builds, with a marker where the data goes.  Size 0: it was not there to build in.
 */
#ifndef HD_REPORT_VIEWER_H
#define HD_REPORT_VIEWER_H

#include <stddef.h>

extern const unsigned char hd_report_viewer[];
extern const size_t hd_report_viewer_size;

#endif
