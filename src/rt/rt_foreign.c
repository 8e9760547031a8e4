#include "rt_foreign.h"

#include <malloc.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "rt_arch.h"
#include "rt_cancel.h"
#include "rt_descriptor.h"
#include "rt_explore.h"
#include "rt_file.h"
#include "rt_foreign_steps.h"
#include "rt_freed.h"
#include "rt_handle.h"
#include "rt_identity.h"
#include "rt_sync.h"

uint32_t hd_rt_foreign_on;

/* --- the call ------------------------------------------------------------------------------- */

/* Does it point into a module, as to a table of virtual functions? */
static bool is_in_module(uintptr_t at) {
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
    if (!is_in_module(table))
        return part;
    intptr_t away = ((const intptr_t *)table)[BASE];
    return away >= 0 && away < MOST ? part + (uintptr_t)away : part;
}

static uintptr_t object_of(const hd_rt_foreign_line *it, const uintptr_t *arguments) {
    if (it->sort == HD_RT_LINE_FIXED || it->sort == HD_RT_LINE_WHOLE ||
        it->sort == HD_RT_LINE_DESCRIPTOR)
        return it->address;
    uintptr_t at = it->every ? 0 : arguments[it->argument];
    if (!at)
        return HEDDLE_WIRE_STATES_END; /* a FILE of NULL: all of them */
    return it->sort == HD_RT_LINE_STREAM ? stream_at(at) : at + it->offset;
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

/* Standard output and error of C and C++ take what they are given. */
static bool is_standard(const hd_rt_foreign_line *it, uintptr_t object) {
    if (it->sort == HD_RT_LINE_ARGUMENT)
        return hd_rt_given_output((const FILE *)object);
    if (!keeps_buffer(object) || !hd_rt_given_output(stdout) || !hd_rt_given_output(stderr))
        return false; /* which of them it writes to is not known */
    for (int i = 0; i < HD_RT_STREAMS; i++)
        if (hd_rt_got_streams[i] && object == stream_at(hd_rt_got_streams[i]))
            return true;
    return false;
}

/* --- files and memory ------------------------------------------------------------------------ */

static void use_files(uint32_t number, bool looks, uintptr_t code) {
    use it = {
        .object = hd_rt_foreign_kept(HEDDLE_WIRE_KEPT_files), .number = number, .looks = looks};
    if (!looks)
        hd_rt_foreign_mapped();
    take_step(&it, code);
}

/* Where standard output and standard error go: who writes there looks at that. */
static use output_state(uint32_t number) {
    return hd_rt_used_state(HEDDLE_WIRE_KEPT_output, number, true);
}

/* What comes out of the program, if that is compared and the file is standard output; else nothing.
 */
static use printed_to(int file, uint32_t number) {
    return hd_rt_given_is_compared(file) ? hd_rt_used_state(HEDDLE_WIRE_KEPT_printed, number, false)
                                         : (use){.object = 0};
}

/* The same, of all streams. */
static use printed_by_all(uint32_t number) {
    return hd_rt.wire->prints ? hd_rt_used_state(HEDDLE_WIRE_KEPT_printed, number, false)
                              : (use){.object = 0};
}

/* An open file: its own state, as long as no file is opened, closed, renamed or removed.  `stream`
 * is used with it, unless that is NULL. */
static void use_open_file(int file, const use *stream, uint32_t number, bool looks,
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
        list[count++] = printed_to(file, number);
        if (object)
            list[count++] = (use){.object = object, .number = number, .looks = looks};
        list[count++] = hd_rt_used_state(HEDDLE_WIRE_KEPT_files, number, looks || object);
        step = hd_rt_foreign_steps(list, count, code);
    } while (step && object && object != hd_rt_ordinary(file));
}

/* The number of its file; -1: it has none, but is one of memory or of functions. */
static int file_of(const FILE *stream) {
    enum { OF_FILE = 0x2000 };
    return stream && stream->_flags & OF_FILE ? stream->_fileno : -1;
}

static void close_standard(const use *it, const FILE *stream, uintptr_t code) {
    use list[3] = {*it, hd_rt_used_state(HEDDLE_WIRE_KEPT_output, it->number, false),
                   printed_to(file_of(stream), it->number)};
    uint32_t taken = hd_rt.current->taken;
    hd_rt_foreign_steps(list, 3, code);
    use_files(it->number, false, code);
    if (!hd_rt.ended)
        hd_rt_foreign_join(taken, code);
}

/* A stream is closed, or all of them are flushed (NULL). */
static void finish_stream(const use *it, const FILE *stream, uintptr_t code) {
    use list[3] = {*it, hd_rt_used_state(HEDDLE_WIRE_KEPT_files, it->number, false),
                   stream ? printed_to(file_of(stream), it->number) : printed_by_all(it->number)};
    hd_rt_foreign_mapped();
    hd_rt_foreign_steps(list, 3, code);
}

/* A stream of a file; if that is a pipe or the like, the call is one on that, too, and true. */
static bool use_file_of(const use *it, int file, uintptr_t code) {
    uint32_t taken = hd_rt.current->taken;
    hd_rt_file_asked(file, code);
    bool asked = hd_rt.current->taken != taken;
    use_open_file(file, it, it->number, false, code);
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
    if (file_of(stream) >= 0)
        use_file_of(&now, file_of(stream), code);
    else
        take_step(&now, code);
    return true;
}

/* What is in a buffer may go to the file, or come from there, whenever the stream is used. */
static void use_stream(const use *it, const FILE *stream, bool closes, uintptr_t code) {
    use list[3] = {*it};
    uint32_t taken = hd_rt.current->taken;
    bool kept = stream && !hd_rt.ended && hd_rt_kept_use(stream, code);
    if (closes && (stream == stdout || stream == stderr))
        close_standard(it, stream, code);
    else if (!stream || closes)
        finish_stream(it, stream, code);
    else if (hd_rt_given_output(stream)) {
        list[1] = output_state(it->number);
        list[2] = printed_to(stream->_fileno, it->number);
        kept |= hd_rt_foreign_steps(list, 3, code) && use_redirected(it, stream, code);
    } else if (file_of(stream) >= 0)
        kept |= use_file_of(it, file_of(stream), code);
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
                   printed_to(file_of(stream), it->number)};
    hd_rt_foreign_steps(list, 3, code);
}

/* The stream of a call; NULL: all of them. */
static FILE *stream_of(const hd_rt_foreign_line *it, const uintptr_t *arguments) {
    return it->every ? NULL : (FILE *)arguments[it->argument];
}

/* A new locale matters to all that print or convert, not all of which say so. */
static void change_locale(void) {
    if (hd_rt_explored.births != hd_rt_explored.joins && !hd_rt.ended)
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_LOCALE;
}

/* Only the standard streams may be used by several threads with nothing between them: of others
 * the word that says how they are is written, and the pointers of their buffer. */
static void access_stream(uintptr_t base, bool looks, uintptr_t code) {
    enum { STATE_AT = 32, POINTERS_AT = 8, POINTERS = 48 };
    unsigned kind = looks ? HEDDLE_READ + 1 : HEDDLE_WRITE + 1;
    if (hd_rt.ended)
        return;
    hd_rt_explore_access(kind, (const void *)(base + STATE_AT), sizeof(int), code);
    uintptr_t buffer = *(const uintptr_t *)(base + BUFFER_AT);
    if (buffer && is_in_module(*(const uintptr_t *)buffer))
        hd_rt_explore_access(kind, (const void *)(buffer + POINTERS_AT), POINTERS, code);
}

/* A standard stream of C++. */
static void print_standard(const hd_rt_foreign_line *it, use of, uintptr_t code) {
    bool again;
    do {
        use list[2] = {of, output_state(of.number)};
        again = hd_rt_foreign_steps(list, 2, code) && of.quietly && !is_standard(it, of.object);
        of.quietly = false;
    } while (again && !hd_rt.ended);
}

/* A call that may write to one of several files, such as splice; perhaps to standard output. */
static void use_descriptors(const hd_rt_foreign_line *it, use of, const uintptr_t *arguments,
                            uintptr_t code) {
    use list[2] = {of};
    unsigned count = 1;
    for (unsigned rest = it->descriptors; rest && !it->looks && count == 1; rest &= rest - 1) {
        list[1] = printed_to((int)arguments[__builtin_ctz(rest)], of.number);
        count += list[1].object != 0;
    }
    hd_rt_foreign_steps(list, count, code);
}

/* The C library flushes standard output, if that is buffered by lines, before it reads more of a
 * stream that is not buffered, or by lines.  True if that was a step. */
static bool flush_first(const hd_rt_foreign_line *it, const uintptr_t *arguments, uint32_t number,
                        uintptr_t code) {
    enum { UNBUFFERED = 2, NO_READS = 4, BY_LINES = 0x200 };
    const FILE *stream = it->asks ? stdin : it->file ? stream_of(it, arguments) : NULL;
    if (!hd_rt.wire->prints || !stream || it->looks || stream->_flags & NO_READS ||
        !(stream->_flags & (UNBUFFERED | BY_LINES)) || hd_rt.ended)
        return false;
    use output = printed_by_all(number);
    return hd_rt_foreign_steps(&output, 1, code);
}

/* What prints to standard error without being given it. */
static void tell_error(uint32_t number, uintptr_t code) {
    use it = {.object = (uintptr_t)stderr, .number = number};
    it.quietly = hd_rt_given_output(stderr);
    hd_rt_output(stderr->_fileno);
    if (!hd_rt.ended)
        use_stream(&it, stderr, false, code);
    if (!hd_rt.ended)
        hd_rt_stream_await(stderr, code);
}

/* Does it flush standard output before it prints to standard error, as error does? */
static bool flushes_too(const hd_rt_foreign_line *it) {
    return it->shows && it->tells;
}

static void use_state(const hd_rt_foreign_line *it, uint32_t number, const uintptr_t *arguments,
                      uintptr_t code) {
    if (flushes_too(it) && !hd_rt.ended)
        hd_rt_foreign_steps((use[]){printed_by_all(number)}, 1, code);
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
        use_open_file((int)arguments[it->argument], NULL, number, it->looks, code);
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
        of.size = 216; /* std::ios_base, which instrumented code accesses too */
    bool apart = it->sort == HD_RT_LINE_STREAM &&
                 (!hd_rt_got_standard(arguments[it->argument]) || !keeps_buffer(of.object));
    uint32_t taken = hd_rt.current->taken;
    bool flushed = flush_first(it, arguments, number, code);
    if (apart)
        access_stream(of.object, it->looks, code);
    if (it->plain && !hd_rt.ended)
        hd_rt_explore_access(it->looks ? HEDDLE_READ + 1 : HEDDLE_WRITE + 1,
                             (const void *)of.object, of.size, code);
    of.quietly = it->prints && (it->file || !hd_rt.wire->prints) && is_standard(it, of.object);
    if (it->file && it->looks)
        look_at_stream(&of, stream_of(it, arguments), code);
    else if (it->file)
        use_stream(&of, stream_of(it, arguments), it->closes, code);
    else if (it->sort == HD_RT_LINE_STREAM && !apart)
        print_standard(it, of, code);
    else if (it->sort == HD_RT_LINE_DESCRIPTOR && hd_rt.wire->prints)
        use_descriptors(it, of, arguments, code);
    else if (it->shows && stdout)
        hd_rt_foreign_steps((use[]){of, printed_to(stdout->_fileno, number)}, 2, code);
    else
        take_step(&of, code);
    if ((apart || flushed) && !hd_rt.ended)
        hd_rt_foreign_join(taken, code);
    if (it->locks && stream_of(it, arguments))
        hd_rt_stream_await(stream_of(it, arguments), code);
}

/* The function ends the process itself. */
static void leave_process(const hd_rt_foreign_line *it, const uintptr_t *arguments,
                          uintptr_t code) {
    int status = it->leaves ? (int)arguments[it->leaves - 1] : 0;
    if (it->leaves && (status || !it->perhaps))
        hd_rt_exit_begins(status, code);
}

/* --- descriptors ----------------------------------------------------------------------------- */

static bool uses_descriptors(const hd_rt_foreign_line *it) {
    return it->descriptors || it->replaces || it->opens || it->closes || it->ends;
}

static void begin_descriptors(const hd_rt_foreign_line *it, const uintptr_t *arguments,
                              uintptr_t code) {
    bool mapped = it->sort == HD_RT_LINE_MAPPING; /* perhaps of no file */
    for (unsigned rest = it->descriptors; rest; rest &= rest - 1)
        if (!mapped || !(arguments[3] & MAP_ANONYMOUS))
            hd_rt_descriptor_use((int)arguments[__builtin_ctz(rest)], code);
    if (it->ends)
        hd_rt_descriptor_end((int)arguments[it->ends - 1], NULL, code);
    if (it->closes)
        hd_rt_descriptor_end(file_of(stream_of(it, arguments)), NULL, code);
    if (it->replaces) {
        hd_rt_descriptor_use((int)arguments[0], code);
        if (hd_rt_descriptor_replaces((int)arguments[0], (int)arguments[it->replaces - 1]))
            hd_rt_descriptor_end((int)arguments[it->replaces - 1], NULL, code);
    }
}

/* Nothing but the call itself is left to be done. */
static void end_descriptors(const hd_rt_foreign_line *it, const uintptr_t *arguments,
                            uintptr_t code) {
    if (it->ends)
        hd_rt_descriptor_gone((int)arguments[it->ends - 1]);
    if (it->closes)
        hd_rt_descriptor_gone(file_of(stream_of(it, arguments)));
    if (it->replaces && arguments[0] != arguments[it->replaces - 1])
        hd_rt_descriptor_made((int)arguments[it->replaces - 1], code);
    if (it->opens)
        hd_rt_descriptor_opens(it->opens, code);
}

/* Is it of the sort that reads what is not the same twice?  Whether or not others run. */
static void note_input(const hd_rt_foreign_line *it, uint32_t number, const uintptr_t *arguments) {
    if (it->varies)
        hd_rt_input(hd_rt.wire->callee[number].name);
    else if (it->file && !it->prints && !it->looks)
        hd_rt_input_stream(stream_of(it, arguments));
    else if (it->sort == HD_RT_LINE_ORDINARY)
        hd_rt_input_file((int)arguments[it->argument]);
}

/* Are bytes of standard output changed by a call that is no write?  An explorer that compares
 * outputs knows how far they were written. */
static void note_place(uint32_t number, const uintptr_t *arguments, uint8_t argument) {
    static const char *const names[] = {"pwrite", "ftruncate", "fallocate", "posix_fallocate"};
    const char *name = hd_rt.wire->callee[number].name;
    bool moves = hd_rt_begins(name, "lseek") &&
                 (arguments[1] || (int)arguments[2] != SEEK_CUR); /* not only asks */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        moves |= hd_rt_begins(name, names[i]);
    if (moves && hd_rt_given_is_output((int)arguments[argument]))
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_PLACES;
}

/* Of all calls, whether or not there are threads. */
static void note_call(const hd_rt_foreign_line *it, uint32_t number, const uintptr_t *arguments) {
    if ((it->varies || it->file || it->sort == HD_RT_LINE_ORDINARY) && !hd_rt_explore->input[0])
        note_input(it, number, arguments);
    if (it->sort == HD_RT_LINE_ORDINARY && !it->looks && hd_rt.wire->prints)
        note_place(number, arguments, it->argument);
    if (it->sort == HD_RT_LINE_MAPPING)
        hd_rt_foreign_map_made(number, arguments);
    if (it->allocator == HD_RT_LINE_ALLOCATES ||
        (it->allocator == HD_RT_LINE_PERTURBS && (int)arguments[0] == M_PERTURB))
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_ALLOCATOR;
}

static bool is_cancelled(const hd_rt_foreign_line *it, uint32_t number, const uintptr_t *arguments,
                         uintptr_t code) {
    return it->sort == HD_RT_LINE_STREAM
               ? !it->looks && hd_rt_cancel_stream(code)
               : hd_rt_cancel_call(hd_rt.wire->callee[number].name, arguments, code);
}

static uintptr_t meet_call(uint32_t number, const uintptr_t *arguments, uintptr_t code) {
    uintptr_t target = hd_rt_foreign_targets[number];
    const hd_rt_foreign_line *it = hd_rt_foreign_known(number);
    bool files = uses_descriptors(it);
    if (it->method && hd_rt_written)
        hd_rt_written_object(arguments[0]);
    if (!hd_rt.exploring) {
        if (it->sort == HD_RT_LINE_WHOLE && hd_rt_string_on())
            hd_rt_foreign_unknown(number);
        if (files)
            begin_descriptors(it, arguments, code);
        if (it->races) {
            hd_rt_handle_buffers(it->races, it->looks, code);
            if (hd_rt_handle_shares(it->races))
                hd_rt_foreign_unknown(number);
        }
        if (*it->memory && hd_rt_string_on())
            hd_rt_foreign_memory(it->memory, arguments, number, false, code);
        if (files)
            end_descriptors(it, arguments, code);
        return target;
    }
    note_call(it, number, arguments);
    if (!hd_rt_explored.births || !hd_rt_controlled()) {
        leave_process(it, arguments, code);
        if (files)
            end_descriptors(it, arguments, code);
        if (it->closes)
            hd_rt_kept_close(stream_of(it, arguments));
        return target;
    }
    uint32_t taken = hd_rt.current->taken;
    bool shares = false;
    hd_rt.wire->callee[number].calls++;
    hd_rt_settle();
    if (HD_RT_UNLIKELY(hd_rt_explore->exits & HEDDLE_WIRE_CANCELS) &&
        is_cancelled(it, number, arguments, code))
        return (uintptr_t)hd_rt_cancel_now;
    if (HD_RT_UNLIKELY(hd_rt_audit_on))
        hd_rt_audit_call(number, it->sort == HD_RT_LINE_NONE && !it->counts);
    if (files)
        begin_descriptors(it, arguments, code);
    if (it->races) /* no part of what the function does, so the steps after it are as without it */
        hd_rt_handle_buffers(it->races, it->looks, code);
    taken = hd_rt.current->taken;
    if (*it->memory && !hd_rt.ended)
        shares = hd_rt_foreign_memory(it->memory, arguments, number, it->sort != HD_RT_LINE_NONE,
                                      code) > 0;
    use_state(it, number, arguments, code);
    if ((shares || flushes_too(it)) && !hd_rt.ended)
        hd_rt_foreign_join(taken, code);
    leave_process(it, arguments, code);
    if (it->closes)
        hd_rt_kept_close(stream_of(it, arguments));
    if (files)
        end_descriptors(it, arguments, code);
    hd_rt.current->callee = it->sort != HD_RT_LINE_NONE ? (uint16_t)(number + 1) : 0;
    return target;
}

/* The program was told numbers of the process and its threads that are not the system's. */
static void translate(uint32_t number, uintptr_t *arguments) {
    const hd_rt_foreign_line *it = hd_rt_foreign_known(number);
    const char *name = hd_rt.wire->callee[number].name;
    bool files = it->opens || it->address == hd_rt_foreign_kept(HEDDLE_WIRE_KEPT_files);
    unsigned path = 0, numbers = 0;
    for (const char *text = it->memory; files && !path && *text; text++)
        if (text[0] == ' ' && text[1] == 'z')
            path = (unsigned)(text[2] - '0');
    if (hd_rt_begins(name, "setp") || hd_rt_begins(name, "getpr"))
        numbers = 2; /* setpgid, and of the priorities the second */
    else if (it->address == hd_rt_foreign_kept(HEDDLE_WIRE_KEPT_process) ||
             hd_rt_begins(name, "process_vm") || hd_rt_begins(name, "prlimit") ||
             hd_rt_begins(name, "pidfd_open"))
        numbers = 1;
    hd_rt_identity_translate(arguments, numbers, path);
}

uintptr_t hd_rt_foreign_call(uint32_t number, uintptr_t *arguments, uintptr_t code) {
    uintptr_t target = meet_call(number, arguments, code);
    if (HD_RT_UNLIKELY(hd_rt_identity_asked))
        translate(number, arguments);
    return target;
}

/* The steps of the call are taken; a lock that it takes itself comes after them, and its changes
 * come after that. */
void hd_rt_foreign_inside(const hd_rt_thread *thread) {
    const heddle_wire_operation *pending = &thread->wire->pending;
    bool locks = pending->kind == HEDDLE_ACQUIRE + 1 || pending->kind == HEDDLE_READ_ACQUIRE + 1;
    if (!locks || !hd_rt_got_known(pending->code) || hd_rt_explore->locking[0])
        return;
    const char *name = hd_rt.wire->callee[thread->callee - 1].name;
    for (size_t i = 0; i + 1 < sizeof hd_rt_explore->locking && name[i]; i++)
        hd_rt_explore->locking[i] = name[i];
}

/* --- what the runtime interposes ------------------------------------------------------------ */

/* Their numbers are found by name. */
uint32_t hd_rt_foreign_own(const char *name) {
    bool wide;
    uintptr_t address = (uintptr_t)name;
    uint32_t number = 0;
    while (number < hd_rt.wire->callees && number < HEDDLE_WIRE_CALLEES &&
           hd_rt.wire->callee[number].address != address)
        number++;
    if (number < hd_rt.wire->callees)
        return number < HEDDLE_WIRE_CALLEES ? number : 0;
    number = hd_rt_foreign_number(name, address, hd_rt_got_libc(), &wide);
    if (number < HEDDLE_WIRE_CALLEES)
        hd_rt.wire->callee[number].known = HEDDLE_WIRE_STATEFUL;
    return number < HEDDLE_WIRE_CALLEES ? number : 0;
}

bool hd_rt_foreign_used(void) {
    return hd_rt.exploring && hd_rt_explored.births && hd_rt_controlled();
}

void hd_rt_foreign_use(const char *name, const void *object, enum hd_rt_use how, uintptr_t code) {
    if (!hd_rt_foreign_used())
        return;
    use it = {.object = (uintptr_t)object,
              .number = hd_rt_foreign_own(name),
              .looks = how == HD_RT_LOOKS};
    hd_rt.wire->callee[it.number].calls++;
    take_step(&it, code);
}

void hd_rt_foreign_print(const char *name, const void *stream, uintptr_t code) {
    hd_rt_signal_streams(name, code);
    if (!hd_rt_foreign_used())
        return;
    use it = {.object = (uintptr_t)stream, .number = hd_rt_foreign_own(name)};
    it.quietly = hd_rt_given_output(stream);
    hd_rt.wire->callee[it.number].calls++;
    use_stream(&it, stream, false, code);
}

void hd_rt_foreign_flush(const char *name, const FILE *stream, uintptr_t code) {
    hd_rt_signal_streams(name, code);
    if (!hd_rt_foreign_used())
        return;
    use it = {.object = stream ? (uintptr_t)stream : HEDDLE_WIRE_STATES_END,
              .number = hd_rt_foreign_own(name)};
    hd_rt.wire->callee[it.number].calls++;
    hd_rt_settle();
    use_stream(&it, stream, false, code);
}

void hd_rt_foreign_state(const char *name, enum heddle_wire_kept which, enum hd_rt_use how,
                         uintptr_t code) {
    if (!hd_rt_foreign_used())
        return;
    if (which == HEDDLE_WIRE_KEPT_files && how == HD_RT_CHANGES)
        hd_rt_foreign_mapped();
    hd_rt_foreign_use(name, (const void *)hd_rt_foreign_kept(which), how, code);
}

void hd_rt_foreign_file(const char *name, int file, uintptr_t code) {
    if (!hd_rt_foreign_used())
        return;
    uint32_t number = hd_rt_foreign_own(name);
    hd_rt.wire->callee[number].calls++;
    if (file > STDIN_FILENO && hd_rt_given(file)) {
        use list[2] = {output_state(number), printed_to(file, number)};
        hd_rt_foreign_steps(list, 2, code);
    } else
        use_open_file(file, NULL, number, false, code);
}

bool hd_rt_foreign_redirects(uint32_t number, int file, uintptr_t code) {
    bool standard = file == STDOUT_FILENO || file == STDERR_FILENO;
    use list[2] = {hd_rt_used_state(HEDDLE_WIRE_KEPT_output, number, false),
                   standard ? printed_by_all(number) : printed_to(file, number)};
    hd_rt_given_replaced(file);
    return hd_rt_foreign_steps(list + !standard, 1U + standard, code);
}

bool hd_rt_foreign_limits(uint32_t number, int resource, uintptr_t code) {
    if (hd_rt_explored.births == hd_rt_explored.joins || hd_rt.ended)
        return false;
    if (resource != RLIMIT_NOFILE && resource != RLIMIT_FSIZE && resource != RLIMIT_CORE) {
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_LIMITS;
        return false;
    }
    use it = hd_rt_used_state(HEDDLE_WIRE_KEPT_files, number, false);
    return hd_rt_foreign_steps(&it, 1, code);
}

void hd_rt_foreign_identity(const char *name, uintptr_t code) {
    if (!hd_rt_foreign_used())
        return;
    uint32_t number = hd_rt_foreign_own(name);
    use list[2] = {hd_rt_used_state(HEDDLE_WIRE_KEPT_process, number, false),
                   hd_rt_used_state(HEDDLE_WIRE_KEPT_files, number, false)};
    hd_rt.wire->callee[number].calls++;
    hd_rt_foreign_steps(list, 2, code);
}

void hd_rt_foreign_end(const char *name, int file, uintptr_t code) {
    if (!hd_rt_foreign_used())
        return;
    uint32_t number = hd_rt_foreign_own(name);
    use list[3] = {hd_rt_used_state(HEDDLE_WIRE_KEPT_files, number, false),
                   printed_to(file, number),
                   hd_rt_used_state(HEDDLE_WIRE_KEPT_output, number, false)};
    hd_rt.wire->callee[number].calls++;
    hd_rt_foreign_mapped();
    hd_rt_foreign_steps(list, file == STDOUT_FILENO || file == STDERR_FILENO ? 3 : 2, code);
    hd_rt_given_replaced(file);
}

void hd_rt_foreign_renew(void) {
    static uint32_t caught;
    hd_rt_audit_begin();
    if (caught == hd_rt_explore->caught)
        return;
    caught = hd_rt_explore->caught;
    for (uint32_t i = 0; i < hd_rt.wire->callees && i < HEDDLE_WIRE_CALLEES; i++)
        if (hd_rt.wire->callee[i].known == HEDDLE_WIRE_CAUGHT)
            hd_rt_foreign_whole(i);
}

void hd_rt_foreign_begin(void) {
    hd_rt_foreign_on = 1;
    hd_rt_foreign_renew();
}
