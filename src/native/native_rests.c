/*
 * What an answer about a real program rests on.  One function per topic; each adds nothing if its
 * topic did not come up.
 */
#include "native_rests.h"
#include "native_program.h"
#include "recording/recording.h"

static void rest_on_memory_model(const hd_machine *machine, hd_verdict *verdict) {
    uint32_t weaker = hd_native_program_const(machine)->server.explore->weaker;
    hd_verdict_basis *basis =
        weaker ? hd_verdict_rests(verdict, "memory-model", NULL, HD_VERDICT_FIRM,
                                  "sequential consistency: a read sees the last write; %u atomic "
                                  "operation%s of this program ask%s for less",
                                  weaker, weaker == 1 ? "" : "s", weaker == 1 ? "s" : "")
               : hd_verdict_rests(verdict, "memory-model", NULL, HD_VERDICT_FIRM,
                                  "sequential consistency: a read sees the last write");
    hd_verdict_figure(basis, "weaker", weaker);
}

static void rest_on_volatile(const hd_machine *machine, hd_verdict *verdict) {
    if (hd_native_program_const(machine)->server.run.wire->volatiles)
        hd_verdict_rests(verdict, "volatile", NULL, HD_VERDICT_FIRM,
                         "volatile accesses were taken as atomic (acquire and release), which the "
                         "language does not promise");
}

static void rest_on_prediction(const hd_machine *machine, hd_verdict *verdict) {
    hd_native_tally tally = hd_native_machine_tally(machine);
    if (!tally.predicted)
        return;
    hd_verdict_basis *basis = hd_verdict_rests(
        verdict, "predicted-runs", NULL, HD_VERDICT_FIRM,
        "%llu of %llu runs were computed from earlier ones instead of executed; %llu that could be "
        "were executed and compared",
        (unsigned long long)tally.predicted,
        (unsigned long long)tally.predicted + (unsigned long long)tally.done,
        (unsigned long long)tally.checked);
    hd_verdict_figure(basis, "audited", tally.checked);
    hd_verdict_figure(basis, "predicted", tally.predicted);
    hd_verdict_figure(basis, "executed", tally.done);
}

/* What handlers of signals do that is not explored (wire_tells.h). */
static void rest_on_signals(uint32_t hidden, hd_verdict *verdict) {
    static const struct {
        uint32_t hides;
        const char *what, *text;
    } lines[] = {
        {HEDDLE_WIRE_HIDES_SIGNALS, "process",
         "a signal was sent to the process: which thread handles it is not explored"},
        {HEDDLE_WIRE_HIDES_HANDLERS, "handlers",
         "a handler is left by a jump, runs on a stack of its own, or may interrupt itself or a "
         "wait for a condition or barrier, or a signal stops the process: this is not explored "
         "exactly"},
        {HEDDLE_WIRE_HIDES_DESCRIPTORS, "descriptors",
         "signals were sent that can be read from a descriptor: in what order is not explored"},
        {HEDDLE_WIRE_HIDES_ERRNO, "errno",
         "a handler changes errno, which the code that it interrupts may be about to look at"},
        {HEDDLE_WIRE_HIDES_UNSAFE, "unsafe",
         "a handler and the code that it interrupts both allocate memory, or use streams: it may "
         "interrupt these functions themselves, which is not explored"},
        {HEDDLE_WIRE_HIDES_TIMERS, "timers",
         "a timer calls a handler, makes a thread, or can be read from a descriptor, at a moment "
         "that is not explored"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (hidden & lines[i].hides)
            hd_verdict_rests(verdict, "signals", lines[i].what, HD_VERDICT_SHAKY, "%s",
                             lines[i].text);
}

/* The C library gives a new thread the handle and the thread-local memory of one that was joined,
 * if it has them; in explored runs each has its own. */
static void rest_on_identity(const hd_native_program *m, const hd_native_unseen *all,
                             hd_verdict *verdict) {
    static const char *const asked[] = {"pthread_self", "pthread_equal", "thrd_current",
                                        "thrd_equal", "gettid"};
    bool asks = m->server.explore->hidden & HEDDLE_WIRE_STORES_IDENTITY;
    if (!(m->server.explore->hidden & HEDDLE_WIRE_REPLACES_THREADS))
        return;
    for (size_t i = 0; i < all->callees.length; i++)
        for (size_t k = 0; k < sizeof asked / sizeof *asked; k++)
            asks |= all->callees.data[i].calls && !strcmp(all->callees.data[i].name, asked[k]);
    hd_verdict_rests(verdict, "threads", "identity", asks ? HD_VERDICT_SHAKY : HD_VERDICT_FIRM,
                     "threads were made after others had been joined: none has the handle or the "
                     "thread-local addresses of an earlier one%s",
                     asks ? ", and the program asks for them or keeps them" : "");
}

/* What a program does that is not announced, or not explored: a bit of heddle_wire_explore.hidden.
 */
static const struct unannounced {
    uint32_t bit;
    const char *code, *what, *text;
} unannounced[] = {
    {HEDDLE_WIRE_HIDES_CANCELS, "threads", "cancellation",
     "threads allow asynchronous cancellation, which was explored only where a thread waits or "
     "asks for it"},
    {HEDDLE_WIRE_HIDES_WRITERS, "threads", "writers",
     "a read-write lock prefers writers, and was explored as one that does not"},
    {HEDDLE_WIRE_HIDES_HELPERS, "threads", "helpers",
     "the C library reads, writes or looks up something in a thread of its own: when it does so is "
     "not explored"},
    {HEDDLE_WIRE_HIDES_OBJECTS, "threads", "objects",
     "a lock, condition, barrier or semaphore was initialised, destroyed or overwritten while a "
     "thread waited for it: what that thread does then is undefined"},
    {HEDDLE_WIRE_HIDES_MAPPED, "kernel-state", "mapped",
     "files were written to while some were mapped as memory: in what order with accesses to that "
     "is not explored"},
    {HEDDLE_WIRE_HIDES_OUTPUT, "kernel-state", "output",
     "standard output or error was redirected while its stream had bytes in its buffer: in what "
     "order threads had printed them is not explored"},
    {HEDDLE_WIRE_HIDES_PLACES, "kernel-state", "output-places",
     "standard output was written to at a given place, moved in or cut: outputs are compared as if "
     "each write went to the end"},
    {HEDDLE_WIRE_HIDES_UNMAPPED, "kernel-state", "unmapped",
     "memory was unmapped or protected while threads ran: of large ranges in what order with "
     "accesses is not explored"},
    {HEDDLE_WIRE_HIDES_LIMITS, "kernel-state", "limits",
     "a limit of the process was set while threads ran: in what order with calls that it makes "
     "fail is not explored"},
    {HEDDLE_WIRE_HIDES_PROC, "kernel-state", "proc",
     "a file of /proc was written while threads ran: in what order with calls that see the change "
     "is not explored"},
    {HEDDLE_WIRE_HIDES_TWINS, "kernel-state", "mapped-twice",
     "the same memory is mapped at two places: in what order accesses to one come with those to "
     "the other is not explored"},
    {HEDDLE_WIRE_HIDES_KEPT, "unseen-access", "streams",
     "more streams in memory are open than are looked at"},
    {HEDDLE_WIRE_HIDES_BUFFERS, "unseen-access", "buffers",
     "a stream of C++ was given a buffer by pubsetbuf: when it reads and writes that is not seen"},
    {HEDDLE_WIRE_HIDES_ALLOCATOR, "unseen-code", "allocator",
     "the program asks for figures of the C library's allocator, or how new memory is filled: "
     "heddle has an allocator of its own"},
    {HEDDLE_WIRE_HIDES_LOCALE, "kernel-state", "locale",
     "the locale was changed while threads ran: not all functions that use it are steps"},
};

/* What was seen that may hide accesses of instrumented code (wire.h). */
static void rest_on_unannounced(const hd_machine *machine, bool by_clang, hd_verdict *verdict) {
    const hd_native_program *m = hd_native_program_const(machine);
    uint32_t hidden = m->server.explore->hidden;
    if (hidden & HEDDLE_WIRE_HIDES_STACKS && by_clang)
        hd_verdict_rests(verdict, "unseen-access", "stacks", HD_VERDICT_SHAKY,
                         "threads use each other's stacks, and clang does not announce what a "
                         "function does to arrays and structures on its own; gcc does");
    if (hidden & HEDDLE_WIRE_HIDES_COPIES)
        hd_verdict_rests(verdict, "unseen-access", "copies", HD_VERDICT_SHAKY,
                         "more copies of structures than %d places were taken as one step",
                         HEDDLE_WIRE_COPIES);
    rest_on_signals(hidden, verdict);
    for (size_t i = 0; i < sizeof unannounced / sizeof *unannounced; i++)
        if (hidden & unannounced[i].bit)
            hd_verdict_rests(verdict, unannounced[i].code, unannounced[i].what, HD_VERDICT_SHAKY,
                             "%s", unannounced[i].text);
    if (hidden & HEDDLE_WIRE_HIDES_SYSCALLS)
        hd_verdict_rests(
            verdict, "unseen-access", "syscall", HD_VERDICT_SHAKY,
            "syscall() was called while threads ran, with number %u among others: what "
            "that does to memory and files is not looked at",
            m->server.explore->call);
    if (m->server.explore->statics == 3)
        hd_verdict_rests(verdict, "unseen-access", "results", HD_VERDICT_SHAKY,
                         "threads use results of the C library that are the same memory for all, "
                         "as those of localtime: whether such a use races with another call is "
                         "not looked at");
    if (m->server.explore->locking[0])
        hd_verdict_rests(verdict, "unseen-code", "locks", HD_VERDICT_SHAKY,
                         "%s took a lock inside: what it does after that was ordered as if it "
                         "came before",
                         m->server.explore->locking);
    if (m->server.explore->targets)
        hd_verdict_rests(verdict, "signals", NULL, HD_VERDICT_FIRM,
                         "a signal that is sent to a thread is handled before its second next "
                         "step");
}

/* What copies of the machine called is already there; its own calls are added once, here. */
static void rest_on_unseen(const hd_machine *machine, hd_verdict *verdict) {
    const hd_native_program *m = hd_native_program_const(machine);
    hd_native_unseen all;
    hd_native_unseen_init(&all);
    hd_native_unseen_add(&all, m->server.run.wire);
    hd_native_unseen_join(&all, m->unseen);
    hd_native_unseen_rests(&all, verdict);
    rest_on_unannounced(machine, m->unseen->by_clang, verdict);
    rest_on_identity(m, &all, verdict);
    hd_native_unseen_release(&all);
}

/* What the program says about itself is its own word: listed, and not doubted, unless the program
 * contradicts itself. */
static void rest_on_annotations(const hd_machine *machine, hd_verdict *verdict) {
    static const struct {
        uint32_t told;
        const char *what, *text;
    } lines[] = {
        {HEDDLE_WIRE_TOLD_ORDERS, "orders",
         "annotations say what orders threads: accesses that only they order are not races"},
        {HEDDLE_WIRE_TOLD_LOCKS, "locks",
         "annotations say when locks of the program's own are taken: what the code of these locks "
         "does while threads contend for them was not explored"},
        {HEDDLE_WIRE_TOLD_HOLDS, "holds",
         "annotations say who holds locks of the program's own: accesses that only these locks "
         "order are not races"},
        {HEDDLE_WIRE_TOLD_BENIGN, "benign-races",
         "races in memory that annotations call benign are not reported"},
        {HEDDLE_WIRE_TOLD_IGNORED, "ignored-accesses",
         "races of accesses that annotations let be ignored are not reported"},
        {HEDDLE_WIRE_TOLD_UNORDERED, "ignored-synchronisation",
         "atomic operations that annotations let be ignored order nothing"},
    };
    const hd_native_program *m = hd_native_program_const(machine);
    uint32_t told = m->server.run.wire->annotations;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (told & lines[i].told)
            hd_verdict_rests(verdict, "annotations", lines[i].what, HD_VERDICT_FIRM, "%s",
                             lines[i].text);
    if (told & HEDDLE_WIRE_TOLD_TOO_MUCH)
        hd_verdict_rests(verdict, "annotations", "limits", HD_VERDICT_SHAKY,
                         "there is more to annotations than is kept: some order too much, exempt "
                         "nothing, or leave memory of a lock unexamined");
    if (told & HEDDLE_WIRE_TOLD_FIBERS)
        hd_verdict_rests(verdict, "annotations", "fibers", HD_VERDICT_SHAKY,
                         "the program switches between fibers of its own: what they do counts as "
                         "their thread's, and is not explored or held against each other");
    if (told & HEDDLE_WIRE_TOLD_RULES)
        hd_verdict_rests(verdict, "annotations", "suppressions", HD_VERDICT_FIRM,
                         "only the first %d bytes of what __tsan_default_suppressions returns are "
                         "obeyed",
                         HEDDLE_WIRE_SUPPRESSIONS - 1);
    if (m->server.explore->hidden & HEDDLE_WIRE_HIDES_ANNOTATED)
        hd_verdict_rests(verdict, "annotations", "disagreement", HD_VERDICT_SHAKY,
                         "a lock did not do what its annotations say: a try failed although it was "
                         "free, or two threads had it; in what order threads use it was not "
                         "explored");
    if (m->server.explore->hidden & HEDDLE_WIRE_HIDES_INNER)
        hd_verdict_rests(verdict, "annotations", "lock-memory", HD_VERDICT_SHAKY,
                         "memory that the code of an annotated lock uses is used by other code, "
                         "too: in what order is not explored");
}

/* Threads depend on something that is not a step: the order in which they use it is not explored,
 * whether or not runs are predicted. */
static void rest_on_hidden(const hd_machine *machine, hd_verdict *verdict) {
    const char *why = hd_native_machine_why_done(machine);
    if (hd_native_program_const(machine)->server.explore->unattributed)
        hd_verdict_rests(verdict, "predicted-runs", NULL, HD_VERDICT_FIRM,
                         "no run was predicted: memory of a library changed in a step in which "
                         "none of its functions was called");
    if (why)
        hd_verdict_rests(verdict, "unseen-code", NULL, HD_VERDICT_SHAKY,
                         "threads depend on something that is not seen (%s), so no run was "
                         "predicted; in what order they use it was not explored",
                         why);
}

/* Runs start from state that was restored: in one process from memory that was put back, or each
 * in a process that a fork made. */
static void rest_on_restoring(const hd_machine *machine, hd_verdict *verdict) {
    const hd_native_program *m = hd_native_program_const(machine);
    const hd_native_audit *audit = &m->audit;
    unsigned long long runs = (unsigned long long)hd_native_machine_tally(machine).done;
    hd_verdict_basis *basis;
    if (runs < 2)
        return;
    if (audit->wrong[0])
        basis = hd_verdict_rests(verdict, "restored-state", "fork", HD_VERDICT_SHAKY,
                                 "a run in a forked process was not what a fresh process does: %s",
                                 audit->wrong);
    else if (m->server.by_fork)
        basis = hd_verdict_rests(verdict, "restored-state", "fork", HD_VERDICT_FIRM,
                                 "each of %llu runs started in a forked process%s%s", runs,
                                 m->server.why[0] ? ": " : "", m->server.why);
    else if (!audit->audited)
        basis = hd_verdict_rests(verdict, "restored-state", "memory", HD_VERDICT_FIRM,
                                 "%llu runs started from restored memory%s%s", runs,
                                 audit->cannot[0] ? ", not compared with a fresh process: " : "",
                                 audit->cannot);
    else
        basis = hd_verdict_rests(verdict, "restored-state", "memory", HD_VERDICT_FIRM,
                                 "%llu runs started from restored memory, %llu of them compared "
                                 "with a fresh process",
                                 runs, (unsigned long long)audit->audited);
    hd_verdict_figure(basis, "runs", runs);
    hd_verdict_figure(basis, "audited", audit->audited);
}

static void rest_on_kernel_state(const hd_machine *machine, hd_verdict *verdict) {
    const heddle_wire_explore *explore = hd_native_program_const(machine)->server.explore;
    if (explore->left[0])
        hd_verdict_rests(verdict, "kernel-state", NULL, HD_VERDICT_SHAKY,
                         "a run leaves to the next one %s", explore->left);
    else if (explore->put_back || explore->undone || explore->unwatched) {
        hd_verdict_basis *basis = hd_verdict_rests(
            verdict, "kernel-state", NULL, HD_VERDICT_FIRM, "%s",
            explore->unwatched ? "that runs change no files: system calls cannot be watched here"
                               : "files, pipes and shared memory were restored between runs");
        hd_verdict_figure(basis, "put-back", explore->put_back);
        hd_verdict_figure(basis, "undone", explore->undone);
    }
}

/* An address that a thread has seen, and compares later, may be that of another block by then. */
static void rest_on_addresses(const hd_machine *machine, hd_verdict *verdict) {
    const hd_native_program *m = hd_native_program_const(machine);
    uint32_t seen = m->server.explore->hidden;
    if (!(seen & HEDDLE_WIRE_FREES_BLOCKS))
        return;
    if (m->server.run.wire->reuse)
        hd_verdict_rests(verdict, "no-reuse", NULL, HD_VERDICT_FIRM,
                         "a freed block is handed out again only where as many bytes are asked "
                         "for, rounded up to 16, and no alignment above 512 KiB");
    else if (seen & HEDDLE_WIRE_COMPARES_BLOCKS)
        hd_verdict_rests(verdict, "no-reuse", "compared", HD_VERDICT_SHAKY,
                         "threads free blocks and compare addresses of blocks, but no address was "
                         "used again; --reuse explores that");
    else
        hd_verdict_rests(verdict, "no-reuse", NULL, HD_VERDICT_FIRM,
                         "addresses of freed blocks were not used again");
}

static void rest_on_time(const hd_machine *machine, hd_verdict *verdict) {
    if (hd_native_program_const(machine)->server.explore->hidden & HEDDLE_WIRE_ASKS_TIME)
        hd_verdict_rests(verdict, "time", NULL, HD_VERDICT_FIRM,
                         "clocks were read: time passes little by little, and more only where all "
                         "threads wait; that a thread is held up for long was not explored");
}

static void rest_on_varying(const hd_machine *machine, hd_verdict *verdict) {
    const char *input = hd_native_program_const(machine)->server.explore->input;
    if (input[0])
        hd_verdict_rests(verdict, "inputs", "varying", HD_VERDICT_SHAKY,
                         "the program reads what is not the same twice (%s): other values were not "
                         "explored",
                         input);
}

/* The values that inputs have if nothing is said, and those that the program compares them with. */
static void rest_on_domain(const hd_machine *machine, hd_verdict *verdict) {
    const heddle_wire_explore *explore = hd_native_program_const(machine)->server.explore;
    hd_vec_char met = {0};
    for (uint32_t i = 0; i < explore->constants_used && i < HEDDLE_WIRE_CONSTANTS; i++)
        hd_text_append(&met, "%s%lld", i ? ", " : "; or of ", (long long)explore->constant[i]);
    if (met.length)
        hd_text_append(&met, ", as the program compares them with such numbers%s",
                       explore->constants_lost ? " and with more of them" : "");
    hd_verdict_rests(verdict, "inputs", "domain", HD_VERDICT_SHAKY,
                     "inputs by __VERIFIER_nondet_... were any of 0, 1, -1, 2, 3%s, and no "
                     "others; --inputs=any:LIST says which",
                     met.length ? met.data : "");
    hd_vec_release(&met);
}

/* The values that the command line gives. */
static void rest_on_given(const heddle_wire *wire, hd_verdict *verdict) {
    bool some = wire->asked & HEDDLE_WIRE_ASKED_SOME && wire->anys;
    uint32_t count = some ? wire->anys : wire->inputs;
    const int64_t *given = some ? wire->any : wire->input;
    hd_vec_char text = {0};
    if (!some && !(wire->asked & HEDDLE_WIRE_ASKED_FIXED))
        return;
    for (uint32_t i = 0; i < count && i < HEDDLE_WIRE_INPUTS; i++)
        hd_text_append(&text, "%s%lld", i ? ", " : some ? "any of " : "", (long long)given[i]);
    if (!some && wire->input_seed)
        hd_text_append(&text, "%sdrawn from the seed %llu", count ? ", then " : "",
                       (unsigned long long)wire->input_seed);
    else if (!some)
        hd_text_append(&text, ", then 0");
    hd_verdict_rests(verdict, "inputs", "asked", HD_VERDICT_FIRM,
                     "inputs by __VERIFIER_nondet_...: %s", text.data);
    hd_vec_release(&text);
}

/* Inputs that the program asks for by name. */
static void rest_on_asked(const hd_machine *machine, hd_verdict *verdict) {
    const heddle_wire *wire = hd_native_program_const(machine)->server.run.wire;
    rest_on_given(wire, verdict);
    if (wire->asked & HEDDLE_WIRE_ASKED_SOME && !wire->anys)
        rest_on_domain(machine, verdict);
    if (wire->asked & HEDDLE_WIRE_ASKED_ALL)
        hd_verdict_rests(verdict, "inputs", "chosen", HD_VERDICT_FIRM,
                         "inputs of ranges with at most %d values: every value", HEDDLE_WIRE_WAYS);
    if (wire->asked & HEDDLE_WIRE_ASKED_SAMPLED) {
        char number[32];
        hd_verdict_rests(
            verdict, "inputs", "sampled", HD_VERDICT_SHAKY,
            "heddle_choose was given a range of %s numbers: at most %d of them were "
            "tried",
            wire->asked_most == UINT64_MAX ? "2^64" : hd_text_grouped(number, wire->asked_most + 1),
            HEDDLE_WIRE_WAYS);
    }
    if (wire->asked & HEDDLE_WIRE_ASKED_FIRST)
        hd_verdict_rests(verdict, "inputs", "first", HD_VERDICT_SHAKY,
                         "an input was asked for before main, where a thread takes no step, or by "
                         "an atomic section after %d others: it had one value only",
                         HEDDLE_WIRE_DRAWS);
}

/* Ends that are no failures by the conventions of SV-COMP; and what is not compared for races. */
static void rest_on_conventions(const hd_machine *machine, hd_verdict *verdict) {
    const heddle_wire *wire = hd_native_program_const(machine)->server.run.wire;
    static const struct {
        uint32_t bit;
        const char *name;
    } ends[] = {{HEDDLE_WIRE_ASKED_ASSUME, "an assumption that does not hold"},
                {HEDDLE_WIRE_ASKED_ABORT, "abort, as in assume_abort_if_not"},
                {HEDDLE_WIRE_ASKED_ASSERT, "an assertion that fails"}};
    hd_vec_char text = {0};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (wire->asked & ends[i].bit)
            hd_text_append(&text, "%s%s", text.length ? ", " : "", ends[i].name);
    if (text.length)
        hd_verdict_rests(verdict, "annotations", "assumptions", HD_VERDICT_FIRM,
                         "runs that end at %s are pruned: they are no failures", text.data);
    hd_vec_release(&text);
    bool races = wire->sv_comp == (HEDDLE_WIRE_SV_COMP | HEDDLE_WIRE_SV_PASSES);
    if (races && wire->asked & HEDDLE_WIRE_ASKED_SECTION)
        hd_verdict_rests(verdict, "annotations", "sections", HD_VERDICT_SHAKY,
                         "accesses in atomic sections were not compared with those outside");
}

/* A loop was held against memory each time that a thread went round it alone, and at least once. */
static void rest_on_loops(const hd_machine *machine, hd_verdict *verdict) {
    enum { WAITS = HEDDLE_WIRE_LOOP_PROVED | HEDDLE_WIRE_LOOP_BACK };
    enum { NOT = HEDDLE_WIRE_LOOP_RESTLESS | HEDDLE_WIRE_LOOP_BACKS };
    const heddle_wire_explore *explore = hd_native_program_const(machine)->server.explore;
    uint32_t loops = 0, dead = 0;
    for (uint32_t i = 0; i < explore->loops && i < HEDDLE_WIRE_LOOPS; i++) {
        const heddle_wire_loop *loop = &explore->loop[i];
        loops += loop->now & WAITS && !(loop->now & NOT);
        dead += (loop->dead_registers || loop->dead_words[0] || loop->dead_words[1]) &&
                loop->now & HEDDLE_WIRE_LOOP_BACK;
    }
    if (dead)
        hd_verdict_figure(hd_verdict_rests(verdict, "loops", "dead", HD_VERDICT_FIRM,
                                           "at %u read%s in a loop, values that the machine code "
                                           "does not use again were not compared",
                                           dead, dead == 1 ? "" : "s"),
                          "reads", dead);
    if (!loops)
        return;
    hd_verdict_basis *basis = hd_verdict_rests(
        verdict, "loops", NULL, HD_VERDICT_FIRM,
        "%u loop%s that only wait%s: not gone round again before a word that %s read has changed",
        loops, loops == 1 ? "" : "s", loops == 1 ? "s" : "", loops == 1 ? "it" : "they");
    hd_verdict_figure(basis, "loops", loops);
    if (explore->counters)
        hd_verdict_rests(verdict, "time", "counters", HD_VERDICT_SHAKY,
                         "the program reads a counter of the processor: that a loop ends because "
                         "time has passed was not explored");
    if (explore->reaches.cuts)
        hd_verdict_figure(hd_verdict_rests(verdict, "loops", "again", HD_VERDICT_FIRM,
                                           "runs in which a thread read a word again, with a "
                                           "value that would have led it there at first, were "
                                           "not gone on with"),
                          "values", explore->reaches.used);
    uint32_t stays = explore->stays_used;
    if (!stays)
        return;
    basis = hd_verdict_rests(verdict, "loops", "values", HD_VERDICT_FIRM,
                             "%u value%s with which a thread came back to where it was: not read "
                             "there again",
                             stays, stays == 1 ? "" : "s");
    hd_verdict_figure(basis, "values", stays);
}

/* For each change that they wait for it was seen to that somebody tells them (rt_atomic_wait.c). */
static void rest_on_awaits(const hd_machine *machine, hd_verdict *verdict) {
    const heddle_wire_awaits *awaits = &hd_native_program_const(machine)->server.explore->awaits;
    if (!awaits->asked || !awaits->loops)
        return;
    hd_verdict_basis *basis = hd_verdict_rests(
        verdict, "loops", "waits", HD_VERDICT_FIRM,
        "waits of C++'s atomics for %u word%s were loops that read, not as the C++ library makes "
        "them: each step that ends such a wait was followed by a notification",
        awaits->count, awaits->count == 1 ? "" : "s");
    hd_verdict_figure(basis, "words", awaits->count);
}

/* As soon as another thread tries a mutex by itself, these are gone round (rt_backoff.c). */
static void rest_on_rounds(const hd_machine *machine, hd_verdict *verdict) {
    uint32_t count = hd_native_machine_backs(machine);
    if (!count)
        return;
    hd_verdict_basis *basis =
        hd_verdict_rests(verdict, "loops", "rounds", HD_VERDICT_FIRM,
                         "%u place%s where std::lock gives back what it has if a mutex is not "
                         "free: waited for it there",
                         count, count == 1 ? "" : "s");
    hd_verdict_figure(basis, "places", count);
}

/* Looked at whenever a thread comes to a barrier (native_locations.c). */
static void rest_on_barriers(const hd_machine *machine, hd_verdict *verdict) {
    const hd_native_locations *locations = &hd_native_program_const(machine)->locations;
    if (!locations->mixed && (locations->met || locations->parties.length))
        hd_verdict_rests(verdict, "barriers", NULL, HD_VERDICT_FIRM,
                         "in which order threads arrive at a barrier was not explored: the same "
                         "ones pass each time, and what pthread_barrier_wait returns is not used");
}

static void rest_on_refused(const hd_machine *machine, hd_verdict *verdict) {
    uint32_t refused = hd_native_machine_refused(machine);
    if (hd_native_program_const(machine)->server.run.wire->unborn)
        hd_verdict_rests(verdict, "refused-calls", "threads", HD_VERDICT_SHAKY,
                         HD_RECORDING_UNBORN);
    if (!refused)
        return;
    hd_verdict_basis *basis = hd_verdict_rests(
        verdict, "refused-calls", NULL, HD_VERDICT_SHAKY,
        "calls that start other processes failed with ENOSYS, up to %u in a run", refused);
    hd_verdict_figure(basis, "calls", refused);
}

static void rest_on_unproved(const hd_machine *machine, hd_verdict *verdict) {
    uint32_t pairs = hd_native_machine_unproved(machine);
    if (!pairs)
        return;
    hd_verdict_basis *basis = hd_verdict_rests(
        verdict, "unseen-access", "order", HD_VERDICT_SHAKY,
        "%u pair%s of accesses that nothing seen orders could not be shown to race: something "
        "that is not seen, code without instrumentation perhaps, orders them",
        pairs, pairs == 1 ? "" : "s");
    hd_verdict_figure(basis, "pairs", pairs);
}

/* What would have shown failures. */
static void rest_on_address_space(const hd_machine *machine, hd_verdict *verdict) {
    uint32_t unkept = hd_native_program_const(machine)->server.run.wire->unkept;
    if (unkept & HEDDLE_WIRE_UNKEPT_FREED)
        hd_verdict_rests(verdict, HD_RECORDING_UNKEPT, "freed", HD_VERDICT_SHAKY, "%s",
                         hd_recording_unkept(HEDDLE_WIRE_UNKEPT_FREED));
    if (unkept & HEDDLE_WIRE_UNKEPT_OBJECTS)
        hd_verdict_rests(verdict, HD_RECORDING_UNKEPT, "objects", HD_VERDICT_SHAKY, "%s",
                         hd_recording_unkept(HEDDLE_WIRE_UNKEPT_OBJECTS));
}

void hd_native_machine_rests(const hd_machine *machine, hd_verdict *verdict) {
    rest_on_memory_model(machine, verdict);
    rest_on_volatile(machine, verdict);
    rest_on_prediction(machine, verdict);
    rest_on_annotations(machine, verdict);
    rest_on_unseen(machine, verdict);
    rest_on_hidden(machine, verdict);
    rest_on_restoring(machine, verdict);
    rest_on_kernel_state(machine, verdict);
    rest_on_address_space(machine, verdict);
    rest_on_addresses(machine, verdict);
    hd_native_promises_rest(machine, verdict);
    rest_on_varying(machine, verdict);
    rest_on_asked(machine, verdict);
    rest_on_conventions(machine, verdict);
    rest_on_time(machine, verdict);
    rest_on_loops(machine, verdict);
    rest_on_awaits(machine, verdict);
    rest_on_rounds(machine, verdict);
    rest_on_barriers(machine, verdict);
    rest_on_refused(machine, verdict);
    rest_on_unproved(machine, verdict);
}
