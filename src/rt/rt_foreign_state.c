#include "rt_foreign_state.h"

#include <unistd.h>

#include "rt_explore.h"
#include "rt_file.h"
#include "rt_freed.h"
#include "rt_sync.h"

/* --- the object ----------------------------------------------------------------------------- */

bool hd_rt_foreign_in_module(uintptr_t at) {
    for (uint32_t i = 0; i < hd_rt.wire->modules; i++)
        if (at >= hd_rt.wire->module[i].low && at < hd_rt.wire->module[i].high)
            return at % sizeof(uintptr_t) == 0;
    return false;
}

/* The streams of C++ have one base in common, where the table of virtual functions of the part
 * says.  A part that is not made yet has no table. */
static uintptr_t stream_at(uintptr_t part) {
    enum { BASE = -3, MOST = 1 << 12 };
    uintptr_t table = *(const uintptr_t *)part;
    if (!hd_rt_foreign_in_module(table))
        return part;
    intptr_t away = ((const intptr_t *)table)[BASE];
    return away >= 0 && away < MOST ? part + (uintptr_t)away : part;
}

/* Of a stream. */
static uintptr_t part_of(const hd_rt_foreign_line *it, const uintptr_t *arguments) {
    uintptr_t at = arguments[it->argument];
    return it->pointer ? *(const uintptr_t *)(at + it->offset) : at;
}

/* What belongs to the library itself is never given back. */
static uintptr_t pointed_to(const hd_rt_foreign_line *it, const uintptr_t *arguments) {
    uintptr_t at = *(const uintptr_t *)(arguments[it->argument] + it->offset);
    return !at || hd_rt_got_private(at) ? 0 : it->address ? it->address : at;
}

static uintptr_t object_of(const hd_rt_foreign_line *it, const uintptr_t *arguments) {
    if (it->sort == HD_RT_LINE_FIXED || it->sort == HD_RT_LINE_WHOLE ||
        it->sort == HD_RT_LINE_DESCRIPTOR)
        return it->address;
    uintptr_t at = it->every ? 0 : arguments[it->argument];
    if (!at)
        return HEDDLE_WIRE_STATES_END; /* a FILE of NULL: all of them */
    if (it->sort == HD_RT_LINE_STREAM)
        return stream_at(part_of(it, arguments));
    return it->pointer ? pointed_to(it, arguments) : at + it->offset;
}

typedef hd_rt_used use;

static void take_step(const use *it, uintptr_t code) {
    hd_rt_foreign_steps(it, 1, code);
}

/* The pointer to the buffer of a stream of C++, from its base. */
enum { BUFFER_AT = 232 };

/* Does a standard stream of C++ have a buffer of its library's?  The program may give it another.
 */
static bool keeps_buffer(uintptr_t base) {
    uintptr_t buffer = *(const uintptr_t *)(base + BUFFER_AT);
    return !buffer || hd_rt_got_private(buffer);
}

/* Which of hd_rt_got_streams it is. */
static int standard_number(uintptr_t object) {
    int i = 0;
    while (i < HD_RT_STREAMS &&
           !(hd_rt_got_streams[i] && object == stream_at(hd_rt_got_streams[i])))
        i++;
    return i;
}

/* Standard output and error of C and C++ take what they are given, and stay as they are; but a
 * width counts for one call only. */
static bool is_standard(const hd_rt_foreign_line *it, uintptr_t object) {
    if (it->sort == HD_RT_LINE_ARGUMENT)
        return hd_rt_given_output((const FILE *)object);
    enum { WIDTH_AT = 16 };
    if (*(const intptr_t *)(object + WIDTH_AT))
        return false;
    if (!keeps_buffer(object) || !hd_rt_given_output(stdout) || !hd_rt_given_output(stderr))
        return false; /* which of them it writes to is not known */
    return standard_number(object) < HD_RT_STREAMS;
}

/* --- files and memory ------------------------------------------------------------------------ */

static void use_files(uint32_t number, bool looks, uintptr_t code) {
    use it = {
        .object = hd_rt_foreign_kept(HEDDLE_WIRE_KEPT_files), .number = number, .looks = looks};
    if (!looks)
        hd_rt_foreign_mapped();
    take_step(&it, code);
}

hd_rt_used hd_rt_foreign_output_state(uint32_t number) {
    return hd_rt_used_state(HEDDLE_WIRE_KEPT_output, number, true);
}

hd_rt_used hd_rt_foreign_printed_to(int file, uint32_t number) {
    return hd_rt_given_is_compared(file) ? hd_rt_used_state(HEDDLE_WIRE_KEPT_printed, number, false)
                                         : (use){.object = 0};
}

hd_rt_used hd_rt_foreign_printed_by_all(uint32_t number) {
    return hd_rt.wire->prints ? hd_rt_used_state(HEDDLE_WIRE_KEPT_printed, number, false)
                              : (use){.object = 0};
}

void hd_rt_foreign_use_open_file(int file, const use *stream, uint32_t number, bool looks,
                                 uintptr_t code) {
    uint64_t object;
    bool step;
    if (!looks) {
        hd_rt_foreign_mapped();
        hd_rt_input_changed(file);
    }
    do {
        use list[4];
        unsigned count = 0;
        if (stream)
            list[count++] = *stream;
        object = hd_rt_ordinary(file);
        list[count++] = hd_rt_foreign_printed_to(file, number);
        if (object)
            list[count++] = (use){.object = object, .number = number, .looks = looks};
        list[count++] = hd_rt_used_state(HEDDLE_WIRE_KEPT_files, number, looks || object);
        step = hd_rt_foreign_steps(list, count, code);
    } while (step && object && object != hd_rt_ordinary(file));
}

int hd_rt_foreign_file_of(const FILE *stream) {
    enum { OF_FILE = 0x2000 };
    return stream && stream->_flags & OF_FILE ? stream->_fileno : -1;
}

static void close_standard(const use *it, const FILE *stream, uintptr_t code) {
    use list[3] = {*it, hd_rt_used_state(HEDDLE_WIRE_KEPT_output, it->number, false),
                   hd_rt_foreign_printed_to(hd_rt_foreign_file_of(stream), it->number)};
    uint32_t taken = hd_rt.current->taken;
    hd_rt_foreign_steps(list, 3, code);
    use_files(it->number, false, code);
    if (!hd_rt.ended)
        hd_rt_foreign_join(taken, code);
}

/* A stream is closed, or all of them are flushed (NULL). */
static void finish_stream(const use *it, const FILE *stream, uintptr_t code) {
    use list[3] = {*it, hd_rt_used_state(HEDDLE_WIRE_KEPT_files, it->number, false),
                   stream ? hd_rt_foreign_printed_to(hd_rt_foreign_file_of(stream), it->number)
                          : hd_rt_foreign_printed_by_all(it->number)};
    hd_rt_foreign_mapped();
    hd_rt_foreign_steps(list, 3, code);
}

/* A stream of a file; if that is a pipe or the like, the call is one on that, too, and true. */
static bool use_file_of(const use *it, int file, uintptr_t code) {
    uint32_t taken = hd_rt.current->taken;
    hd_rt_file_asked(file, code);
    bool asked = hd_rt.current->taken != taken;
    hd_rt_foreign_use_open_file(file, it, it->number, false, code);
    return asked;
}

/* Before a step it was where standard output or standard error goes.  True: another thread has
 * changed that. */
static bool use_redirected(const use *it, const FILE *stream, uintptr_t code) {
    use now = *it;
    if (hd_rt.ended || hd_rt_given_output(stream))
        return false;
    now.quietly = false;
    hd_rt_kept_use(stream, code);
    if (hd_rt_foreign_file_of(stream) >= 0)
        use_file_of(&now, hd_rt_foreign_file_of(stream), code);
    else
        take_step(&now, code);
    return true;
}

void hd_rt_foreign_use_stream(const use *it, const FILE *stream, bool closes, uintptr_t code) {
    use list[3] = {*it};
    uint32_t taken = hd_rt.current->taken;
    bool kept = stream && !hd_rt.ended && hd_rt_kept_use(stream, code);
    if (closes && (stream == stdout || stream == stderr))
        close_standard(it, stream, code);
    else if (!stream || closes)
        finish_stream(it, stream, code);
    else if (hd_rt_given_output(stream)) {
        list[1] = hd_rt_foreign_output_state(it->number);
        list[2] = hd_rt_foreign_printed_to(stream->_fileno, it->number);
        kept |= hd_rt_foreign_steps(list, 3, code) && use_redirected(it, stream, code);
    } else if (hd_rt_foreign_file_of(stream) >= 0)
        kept |= use_file_of(it, hd_rt_foreign_file_of(stream), code);
    else
        hd_rt_foreign_steps(list, 1, code);
    if (kept && !hd_rt.ended)
        hd_rt_foreign_join(taken, code);
    if (stream && !hd_rt.ended)
        hd_rt_freed_check(HEDDLE_WIRE_CALL, stream, 1, code);
}

/* A call only looks at a stream: also at what is changed where all of them are flushed. */
static void look_at_stream(const use *it, const FILE *stream, uintptr_t code) {
    use list[3] = {*it, hd_rt_used_state(HEDDLE_WIRE_KEPT_files, it->number, true),
                   hd_rt_foreign_printed_to(hd_rt_foreign_file_of(stream), it->number)};
    hd_rt_foreign_steps(list, 3, code);
}

FILE *hd_rt_foreign_stream_of(const hd_rt_foreign_line *it, const uintptr_t *arguments) {
    return it->every ? NULL : (FILE *)arguments[it->argument];
}

/* A new locale matters to all that print or convert, not all of which say so. */
static void change_locale(void) {
    if (hd_rt_explored.births != hd_rt_explored.joins && !hd_rt.ended)
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_LOCALE;
}

/* std::basic_ios: its members from the precision to the pointer to the buffer, which instrumented
 * code accesses, too; and all of it. */
enum { SETTINGS_AT = 8, SETTINGS = BUFFER_AT + 8 - SETTINGS_AT, STREAM_SIZE = 264 };

/* The parts of a buffer whose addresses are known: its pointers, and what they point into. */
enum { POINTERS_AT = 8, POINTERS = 6 };

/* A call's steps stand for what it does to the stream and its buffer.  That of a file or a string
 * comes before the base, in one object with it. */
static void cover_stream(uintptr_t base) {
    enum { MOST = 512 };
    uintptr_t buffer = *(const uintptr_t *)(base + BUFFER_AT);
    if (!buffer || !hd_rt_foreign_in_module(*(const uintptr_t *)buffer)) {
        hd_rt_foreign_cover(base, STREAM_SIZE);
        return;
    }
    const uintptr_t *pointer = (const uintptr_t *)(buffer + POINTERS_AT);
    uintptr_t low = buffer < base && base - buffer < MOST ? buffer : base;
    hd_rt_foreign_cover(low, base + STREAM_SIZE - low);
    hd_rt_foreign_cover((uintptr_t)pointer, POINTERS * sizeof *pointer);
    for (unsigned i = 0; i < POINTERS; i += POINTERS / 2) /* to be read, and written */
        if (pointer[i] && pointer[i + 2] > pointer[i])
            hd_rt_foreign_cover(pointer[i], pointer[i + 2] - pointer[i] + 1);
}

/* Only the standard streams may be used by several threads with nothing between them: of others
 * what says how they are is written, and the pointers of their buffer. */
static void access_stream(uintptr_t base, bool looks, uintptr_t code) {
    unsigned kind = looks ? HEDDLE_READ + 1 : HEDDLE_WRITE + 1;
    if (hd_rt.ended)
        return;
    hd_rt_explore_access(kind, (const void *)(base + SETTINGS_AT), SETTINGS, code);
    uintptr_t buffer = *(const uintptr_t *)(base + BUFFER_AT);
    if (buffer && hd_rt_foreign_in_module(*(const uintptr_t *)buffer))
        hd_rt_explore_access(kind, (const void *)(buffer + POINTERS_AT),
                             POINTERS * sizeof(uintptr_t), code);
}

/* A standard stream of C++.  Its calls read how it is to print, which may race with a thread that
 * changes that. */
static void print_standard(const hd_rt_foreign_line *it, use of, uintptr_t code) {
    int number = standard_number(of.object);
    use printed = {.object = 0};
    bool again;
    if (it->prints && number < HD_RT_STREAMS)
        printed = hd_rt_foreign_printed_to(number ? STDERR_FILENO : STDOUT_FILENO, of.number);
    printed.along = true;
    if (!hd_rt.ended)
        hd_rt_explore_access(HEDDLE_READ + 1, (const void *)(of.object + SETTINGS_AT), SETTINGS,
                             code);
    do {
        use list[3] = {of, hd_rt_foreign_output_state(of.number), printed};
        again = hd_rt_foreign_steps(list, 3, code) && of.quietly && !is_standard(it, of.object);
        of.quietly = false;
    } while (again && !hd_rt.ended);
}

/* A call that may write to one of several files, such as splice; perhaps to standard output. */
static void use_descriptors(const hd_rt_foreign_line *it, use of, const uintptr_t *arguments,
                            uintptr_t code) {
    use list[2] = {of};
    unsigned count = 1;
    for (unsigned rest = it->descriptors; rest && !it->looks && count == 1; rest &= rest - 1) {
        list[1] = hd_rt_foreign_printed_to((int)arguments[__builtin_ctz(rest)], of.number);
        count += list[1].object != 0;
    }
    hd_rt_foreign_steps(list, count, code);
}

/* The C library flushes standard output, if that is buffered by lines, before it reads more of a
 * stream that is not buffered, or by lines.  True if that was a step. */
static bool flush_first(const hd_rt_foreign_line *it, const uintptr_t *arguments, uint32_t number,
                        uintptr_t code) {
    enum { UNBUFFERED = 2, NO_READS = 4, BY_LINES = 0x200 };
    const FILE *stream = it->asks   ? stdin
                         : it->file ? hd_rt_foreign_stream_of(it, arguments)
                                    : NULL;
    if (!hd_rt.wire->prints || !stream || it->looks || stream->_flags & NO_READS ||
        !(stream->_flags & (UNBUFFERED | BY_LINES)) || hd_rt.ended)
        return false;
    use output = hd_rt_foreign_printed_by_all(number);
    return hd_rt_foreign_steps(&output, 1, code);
}

/* What prints to standard error without being given it. */
static void tell_error(uint32_t number, uintptr_t code) {
    use it = {.object = (uintptr_t)stderr, .number = number};
    it.quietly = hd_rt_given_output(stderr);
    hd_rt_output(stderr->_fileno);
    if (!hd_rt.ended)
        hd_rt_foreign_use_stream(&it, stderr, false, code);
    if (!hd_rt.ended)
        hd_rt_stream_await(stderr, code);
}

bool hd_rt_foreign_flushes_too(const hd_rt_foreign_line *it) {
    return it->shows && it->tells;
}

void hd_rt_foreign_use_state(const hd_rt_foreign_line *it, uint32_t number,
                             const uintptr_t *arguments, uintptr_t code) {
    if (hd_rt_foreign_flushes_too(it) && !hd_rt.ended)
        hd_rt_foreign_steps((use[]){hd_rt_foreign_printed_by_all(number)}, 1, code);
    if (it->tells && stderr && !hd_rt.ended)
        tell_error(number, code);
    if (it->sort == HD_RT_LINE_NONE)
        return;
    if (it->sort == HD_RT_LINE_MAPPING) {
        hd_rt_spin_forget(hd_rt.current); /* what is mapped where is no memory */
        hd_rt_foreign_map(it, number, arguments, code);
        return;
    }
    if (it->sort == HD_RT_LINE_ORDINARY) {
        hd_rt_foreign_use_open_file((int)arguments[it->argument], NULL, number, it->looks, code);
        return;
    }
    if (it->sort == HD_RT_LINE_DESCRIPTOR)
        hd_rt_file_asked((int)arguments[it->argument], code);
    const char *name = hd_rt.wire->callee[number].name;
    if (it->address == hd_rt_foreign_kept(HEDDLE_WIRE_KEPT_files) && !it->looks &&
        !hd_rt_begins(name, "sem_")) /* which are mapped, but make and remove whole files */
        hd_rt_foreign_mapped();
    if (it->address == hd_rt_foreign_kept(HEDDLE_WIRE_KEPT_locale) &&
        (hd_rt_begins(name, "setl") || hd_rt_begins(name, "_ZNSt6locale6global")))
        change_locale();
    if (it->locks || it->sort == HD_RT_LINE_STREAM)
        hd_rt_signal_streams(name, code);
    if (it->seen)
        take_step(&(use){.object = it->seen, .number = number, .looks = true}, code);
    use of = {
        .object = object_of(it, arguments), .size = it->size, .number = number, .looks = it->looks};
    if (it->sort == HD_RT_LINE_STREAM)
        of.size = STREAM_SIZE;
    bool apart = it->sort == HD_RT_LINE_STREAM &&
                 (!hd_rt_got_standard(part_of(it, arguments)) || !keeps_buffer(of.object));
    if (it->sort == HD_RT_LINE_STREAM)
        cover_stream(of.object);
    else if (of.size)
        hd_rt_foreign_cover(of.object, of.size);
    uint32_t taken = hd_rt.current->taken;
    bool flushed = flush_first(it, arguments, number, code);
    if (apart)
        access_stream(of.object, it->looks, code);
    if (it->plain && !hd_rt.ended)
        hd_rt_explore_access(it->looks ? HEDDLE_READ + 1 : HEDDLE_WRITE + 1,
                             (const void *)of.object, of.size, code);
    of.quietly = it->prints && (it->file || !hd_rt.wire->prints) && is_standard(it, of.object);
    if (it->file && it->looks)
        look_at_stream(&of, hd_rt_foreign_stream_of(it, arguments), code);
    else if (it->file)
        hd_rt_foreign_use_stream(&of, hd_rt_foreign_stream_of(it, arguments), it->closes, code);
    else if (it->sort == HD_RT_LINE_STREAM && !apart)
        print_standard(it, of, code);
    else if (it->sort == HD_RT_LINE_DESCRIPTOR && hd_rt.wire->prints)
        use_descriptors(it, of, arguments, code);
    else if (it->shows && stdout)
        hd_rt_foreign_steps((use[]){of, hd_rt_foreign_printed_to(stdout->_fileno, number)}, 2,
                            code);
    else
        take_step(&of, code);
    if ((apart || flushed) && !hd_rt.ended)
        hd_rt_foreign_join(taken, code);
    if (it->locks && hd_rt_foreign_stream_of(it, arguments))
        hd_rt_stream_await(hd_rt_foreign_stream_of(it, arguments), code);
}
