#include "predicate_plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "heddle/view.h"

typedef int test(const heddle_view *view);

/* The notes, or writes, of a name by a thread. */
struct given {
    uint32_t count;
    int64_t value;
};

typedef HD_VEC(struct given) given_list;

struct hd_predicate_plugin {
    void *library;
    test *predicate;
    heddle_view view;
    const hd_predicate_instance *instance;
    heddle_event **events;
    uint32_t **numbers, **marks;
    given_list *notes, *writes; /* [name * threads + thread] */
};

/* ---- Compiling ---- */

static bool run_compiler(char *const *words, hd_error *error) {
    hd_child child = {.words = words, .input = -1, .output = -1, .error = -1};
    if (!hd_child_start(&child, error))
        return hd_error_prefix(error, "cannot run the compiler ");
    if (hd_child_wait(&child))
        return true;
    const char *why = hd_clock_why();
    if (why)
        return hd_error_set(error, "%s while it was compiled", why);
    return hd_error_set(error, "the compiler %s refused it", words[0]);
}

/* The folder with heddle/view.h in it. */
static bool find_headers(char *folder, size_t size, hd_error *error) {
    const char *given = getenv("HEDDLE_INCLUDE");
    char self[PATH_MAX], header[PATH_MAX + 64];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    if (given)
        snprintf(folder, size, "%s", given);
    else
        snprintf(folder, size, "%s/../include", self);
    snprintf(header, sizeof header, "%s/heddle/view.h", folder);
    return access(header, R_OK) == 0 ||
           hd_error_set(error, "heddle/view.h is not in %s; HEDDLE_INCLUDE may name its folder",
                        folder);
}

static bool compile(const char *path, const char *library, hd_error *error) {
    char folder[PATH_MAX + 32], include[PATH_MAX + 40];
    const char *compiler = getenv("CC");
    if (!find_headers(folder, sizeof folder, error))
        return false;
    snprintf(include, sizeof include, "-I%s", folder);
    const char *words[] = {compiler && *compiler ? compiler : "cc",
                           "-shared",
                           "-fPIC",
                           "-O2",
                           "-g",
                           include,
                           "-o",
                           library,
                           path,
                           NULL};
    return run_compiler((char *const *)(uintptr_t)words, error);
}

static bool load_plugin(hd_predicate_plugin *plugin, const char *path, hd_error *error) {
    plugin->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!plugin->library)
        return hd_error_set(error, "%s", dlerror());
    *(void **)&plugin->predicate = dlsym(plugin->library, "heddle_predicate");
    return plugin->predicate || hd_error_set(error, "it has no function heddle_predicate");
}

static bool compile_and_load(hd_predicate_plugin *plugin, const char *path, hd_error *error) {
    char folder[PATH_MAX], library[PATH_MAX + 32];
    snprintf(folder, sizeof folder, "%s/heddle-XXXXXX", hd_file_temporary());
    if (!mkdtemp(folder))
        return hd_error_set(error, "%s: %s", folder, strerror(errno));
    snprintf(library, sizeof library, "%s/predicate.so", folder);
    hd_stop_add(folder);
    hd_stop_add(library);
    bool good = compile(path, library, error) && load_plugin(plugin, library, error);
    unlink(library); /* the loaded copy stays */
    rmdir(folder);
    hd_stop_remove(library);
    hd_stop_remove(folder);
    return good;
}

hd_predicate_plugin *hd_predicate_plugin_open(const char *path, hd_error *error) {
    hd_predicate_plugin *plugin = HD_NEW(hd_predicate_plugin);
    size_t length = strlen(path);
    bool library = length > 3 && strcmp(path + length - 3, ".so") == 0;
    char whole[PATH_MAX];
    struct stat about;
    bool good = realpath(path, whole) || hd_error_set(error, "%s", strerror(errno));
    if (good && stat(whole, &about) == 0 && S_ISFIFO(about.st_mode)) /* who loads it would wait */
        good = hd_error_set(error, "a pipe; it must be a file");
    good = good &&
           (library ? load_plugin(plugin, whole, error) : compile_and_load(plugin, whole, error));
    if (good)
        return plugin;
    hd_error_prefix(error, "%s: ", path);
    hd_predicate_plugin_close(plugin);
    return NULL;
}

/* ---- The view ---- */

static const hd_predicate_plugin *plugin_of(const heddle_view *view) {
    return view->context;
}

static const hd_names *names_of(const heddle_view *view, enum heddle_class class) {
    return &plugin_of(view)->instance->order->trace->tables.names[class];
}

static uint32_t find_object(const heddle_view *view, enum heddle_class class, const char *name) {
    if ((unsigned)class >= HEDDLE_CLASS_COUNT)
        return HEDDLE_NONE;
    return hd_names_find(names_of(view, class), name, strlen(name));
}

static const char *name(const heddle_view *view, enum heddle_class class, uint32_t number) {
    if ((unsigned)class >= HEDDLE_CLASS_COUNT || number >= names_of(view, class)->length)
        return NULL;
    return hd_names_text(names_of(view, class), number);
}

/* The last one at or before the thread's count. */
static int look_up(const heddle_view *view, const given_list *lists, uint32_t thread,
                   uint32_t number, uint32_t names, int64_t *value) {
    if (number >= names || thread >= view->threads)
        return 0;
    const given_list *list = &lists[(size_t)number * view->threads + thread];
    size_t from = 0, to = list->length;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (list->data[middle].count <= view->counts[thread])
            from = middle + 1;
        else
            to = middle;
    }
    assert(!from || list->data[from - 1].count <= view->counts[thread]);
    assert(from == list->length || list->data[from].count > view->counts[thread]);
    if (from)
        *value = list->data[from - 1].value;
    return from != 0;
}

static int noted(const heddle_view *view, uint32_t thread, uint32_t label, int64_t *value) {
    return look_up(view, plugin_of(view)->notes, thread, label,
                   names_of(view, HEDDLE_CLASS_LABEL)->length, value);
}

static int written(const heddle_view *view, uint32_t thread, uint32_t variable, int64_t *value) {
    return look_up(view, plugin_of(view)->writes, thread, variable,
                   names_of(view, HEDDLE_CLASS_VARIABLE)->length, value);
}

static int held(const heddle_view *view, uint32_t thread, uint32_t lock) {
    const hd_order_held *all = &plugin_of(view)->instance->order->held;
    if (thread >= view->threads || !view->counts[thread])
        return 0;
    assert(view->counts[thread] <= view->lengths[thread]);
    uint32_t event = view->numbers[thread][view->counts[thread] - 1];
    hd_order_lock found = hd_order_sets_find(&all->sets, hd_order_held_after(all, event), lock);
    return found == HD_ORDER_NONE ? 0 : hd_order_lock_reading(found) ? 1 : 2;
}

static bool judge(void *context, const uint32_t *state) {
    const hd_predicate_plugin *plugin = context;
    heddle_view view = plugin->view;
    view.counts = state;
    return plugin->predicate(&view) != 0;
}

static void fill_thread(hd_predicate_plugin *plugin, uint32_t place) {
    const hd_cut_space *space = &plugin->instance->space;
    uint32_t length = space->length[place], mark = HEDDLE_NONE;
    plugin->events[place] = HD_NEW_ARRAY(heddle_event, length + 1);
    plugin->numbers[place] = HD_NEW_ARRAY(uint32_t, length + 1);
    plugin->marks[place] = HD_NEW_ARRAY(uint32_t, length + 1);
    plugin->marks[place][0] = mark;
    for (uint32_t c = 1; c <= length; c++) {
        uint32_t number = hd_cut_event(space, place, c);
        const heddle_event *event = hd_trace_event(plugin->instance->order->trace, number);
        struct given given = {c, event->value};
        plugin->events[place][c - 1] = *event;
        plugin->numbers[place][c - 1] = number;
        if (event->kind == HEDDLE_MARK && !(event->flags & HEDDLE_HAS_VALUE))
            mark = event->object;
        else if (event->kind == HEDDLE_MARK)
            hd_vec_push(&plugin->notes[(size_t)event->object * space->threads + place], given);
        else if (hd_trace_writes(event) && (event->flags & HEDDLE_HAS_VALUE))
            hd_vec_push(&plugin->writes[(size_t)event->object * space->threads + place], given);
        plugin->marks[place][c] = mark;
    }
}

void hd_predicate_plugin_attach(hd_predicate_plugin *plugin, hd_predicate_instance *instance) {
    const hd_cut_space *space = &instance->space;
    const hd_trace_tables *tables = &instance->order->trace->tables;
    size_t threads = space->threads;
    assert(!plugin->instance); /* a plugin goes with one instance */
    plugin->instance = instance;
    plugin->events = HD_NEW_ARRAY(heddle_event *, threads + 1);
    plugin->numbers = HD_NEW_ARRAY(uint32_t *, threads + 1);
    plugin->marks = HD_NEW_ARRAY(uint32_t *, threads + 1);
    plugin->notes =
        HD_NEW_ARRAY(given_list, threads * tables->names[HEDDLE_CLASS_LABEL].length + 1);
    plugin->writes =
        HD_NEW_ARRAY(given_list, threads * tables->names[HEDDLE_CLASS_VARIABLE].length + 1);
    for (uint32_t p = 0; p < threads; p++)
        fill_thread(plugin, p);
    plugin->view = (heddle_view){.version = HEDDLE_VIEW_VERSION,
                                 .threads = space->threads,
                                 .counts = instance->none,
                                 .lengths = space->length,
                                 .events = (const heddle_event *const *)plugin->events,
                                 .numbers = (const uint32_t *const *)plugin->numbers,
                                 .marks = (const uint32_t *const *)plugin->marks,
                                 .context = plugin,
                                 .find = find_object,
                                 .name = name,
                                 .noted = noted,
                                 .written = written,
                                 .held = held};
    instance->facts.judge.plugin_context = plugin;
    instance->facts.judge.plugin = judge;
    void (*start)(const heddle_view *view);
    *(void **)&start = dlsym(plugin->library, "heddle_predicate_start");
    if (start)
        start(&plugin->view);
}

static void free_lists(given_list *lists, size_t count) {
    for (size_t i = 0; lists && i < count; i++)
        hd_vec_release(&lists[i]);
    free(lists);
}

void hd_predicate_plugin_close(hd_predicate_plugin *plugin) {
    if (!plugin)
        return;
    if (plugin->instance) {
        const hd_trace_tables *tables = &plugin->instance->order->trace->tables;
        size_t threads = plugin->view.threads;
        for (uint32_t p = 0; p < threads; p++) {
            free(plugin->events[p]);
            free(plugin->numbers[p]);
            free(plugin->marks[p]);
        }
        free_lists(plugin->notes, threads * tables->names[HEDDLE_CLASS_LABEL].length);
        free_lists(plugin->writes, threads * tables->names[HEDDLE_CLASS_VARIABLE].length);
    }
    free(plugin->events);
    free(plugin->numbers);
    free(plugin->marks);
    if (plugin->library)
        dlclose(plugin->library);
    free(plugin);
}
