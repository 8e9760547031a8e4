/*
 * Events of a trace as places of a finding.
 *
 *     hd_report_scene scene;
 *     hd_report_scene_init(&scene, &trace);
 *     hd_report_defect defect = {.rule = "race", .variable = name};
 *     hd_report_role roles[] = {{"first", 3}, {"second", 7}};
 *     hd_report_scene_write(&scene, &defect, roles, 2, &json);
 *     hd_report_scene_release(&scene);
 */
#ifndef HD_REPORT_SCENE_H
#define HD_REPORT_SCENE_H

#include "order/order.h"
#include "report_identity.h"
#include "trace/trace.h"

/* A trace with what is held in it; that is looked up when the first place is made. */
typedef struct hd_report_scene {
    const hd_trace *trace;
    hd_order_held held;
    bool built;
    hd_order_holds *holds; /* instead of that, if the trace is sparse */
    hd_report_lines lines;
} hd_report_scene;

void hd_report_scene_init(hd_report_scene *scene, const hd_trace *trace);
void hd_report_scene_release(hd_report_scene *scene);

hd_report_place hd_report_scene_place(hd_report_scene *scene, hd_arena *arena, const char *role,
                                      uint32_t number);

/* "write x = 5" in printable characters; a long name ends in "...". */
const char *hd_report_event_text(hd_arena *arena, const hd_trace *trace, uint32_t event);

/* Which event plays which role; 0 is the initial value of a variable. */
typedef struct hd_report_role {
    const char *role;
    uint32_t event;
} hd_report_role;

/* A finding about events: its "fingerprint" and its "places". */
void hd_report_scene_write(hd_report_scene *scene, const hd_report_defect *defect,
                           const hd_report_role *roles, size_t count, hd_json *json);

/* The fingerprint alone. */
uint64_t hd_report_scene_identity(hd_report_scene *scene, const hd_report_defect *defect,
                                  const hd_report_role *roles, size_t count);

#endif
