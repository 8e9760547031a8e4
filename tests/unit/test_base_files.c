/*
 * The base room: files that appear whole or not at all.
 */

#include "base/base_file_batch.h"
#include "support_suite.h"
#include "test_base_tools.h"

/* ---- Files ---- */

/* A fresh directory inside the directory. */
static const char *fresh(const char *name) {
    const char *path = in_directory(name);
    assert_int_equal(mkdir(path, 0777), 0);
    return path;
}

static void file_appears_at_commit(void **state) {
    (void)state;
    const char *where = fresh("appears");
    const char *path = in_directory("appears/file");
    hd_file *file = create(path);
    hd_file_write(file, "one ", 4);
    hd_file_print(file, "%d %s", 2, "three");
    assert_int_equal(hd_file_offset(file), 11);
    assert_int_equal(access(path, F_OK), -1);
    commit(file);
    assert_content(path, "one 2 three");
    assert_int_equal(entries_in(where), 1);
}

static void batch_appears_at_its_end(void **state) {
    (void)state;
    enum { FILES = 600 };
    fresh("batch");
    char path[64], text[32];
    hd_file_batch_begin();
    for (int i = 0; i < FILES; i++) {
        if (i == FILES - 3)
            hd_file_batch_begin(); /* they nest */
        snprintf(path, sizeof path, "batch/%d", i);
        snprintf(text, sizeof text, "text %d", i);
        hd_file *file = create(in_directory(path));
        hd_file_write(file, text, strlen(text));
        commit(file);
        if (i == 2)
            assert_int_equal(access(in_directory("batch/2"), F_OK), -1);
        if (i == FILES - 2)
            assert_true(hd_file_batch_end(NULL));
    }
    assert_int_equal(entries_in(in_directory("batch")), FILES);
    assert_int_equal(access(in_directory("batch/2"), F_OK), 0); /* not all wait at a time */
    assert_int_equal(access(in_directory("batch/599"), F_OK), -1);
    assert_true(hd_file_batch_end(NULL));
    assert_int_equal(entries_in(in_directory("batch")), FILES);
    for (int i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "batch/%d", i);
        snprintf(text, sizeof text, "text %d", i);
        assert_content(in_directory(path), text);
    }
}

/* After a way out that skipped the end of a batch nothing waits for it. */
static void batch_is_abandoned(void **state) {
    (void)state;
    fresh("midway");
    hd_file_batch_begin();
    hd_file_batch_begin();
    commit(create(in_directory("midway/one")));
    assert_int_equal(access(in_directory("midway/one"), F_OK), -1);
    hd_file_batch_abandon();
    assert_int_equal(access(in_directory("midway/one"), F_OK), 0);
    commit(create(in_directory("midway/two")));
    assert_int_equal(access(in_directory("midway/two"), F_OK), 0);
    assert_int_equal(entries_in(in_directory("midway")), 2);
}

/* Of a batch the one that cannot be put in its place is named, and the others are there. */
static void batch_names_what_failed(void **state) {
    (void)state;
    fresh("batches");
    hd_error error = {""};
    hd_file_batch_begin();
    for (int i = 0; i < 3; i++) {
        char path[64];
        snprintf(path, sizeof path, "batches/%d", i);
        commit(create(in_directory(path)));
    }
    assert_int_equal(mkdir(in_directory("batches/1"), 0777), 0);
    assert_false(hd_file_batch_end(&error));
    assert_non_null(strstr(error.text, "batches/1: cannot write"));
    assert_int_equal(access(in_directory("batches/2"), F_OK), 0);
}

/* As it does when memory runs out. */
static void exit_removes_temporary_files(void **state) {
    (void)state;
    const char *where = fresh("exits");
    const char *path = in_directory("exits/file");
    hd_file *file = create(path);
    pid_t child = fork();
    if (child == 0) /* not its writer */
        exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(entries_in(where), 1);
    hd_file_abandon(file);
    child = fork();
    if (child == 0) {
        hd_file_write(create(path), "half", 4);
        exit(2);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(entries_in(where), 0);
}

static void file_is_replaced_at_commit(void **state) {
    (void)state;
    const char *where = fresh("replaced");
    const char *path = in_directory("replaced/file");
    spill(path, "old");
    hd_file *file = create(path);
    hd_file_write(file, "new", 3);
    assert_content(path, "old");
    commit(file);
    assert_content(path, "new");
    assert_int_equal(entries_in(where), 1);
}

static void abandoned_file_leaves_nothing(void **state) {
    (void)state;
    const char *where = fresh("abandoned");
    spill(in_directory("abandoned/old"), "old");
    hd_file *files[] = {create(in_directory("abandoned/old")),
                        create(in_directory("abandoned/new"))};
    for (size_t i = 0; i < ITEMS(files); i++) {
        char *room = hd_file_reserve(files[i], 1 << 17);
        memset(room, 'x', 1 << 17);
        hd_file_advance(files[i], 1 << 17);
        hd_file_print(files[i], "and more, so that some of it is on the disk");
        hd_file_abandon(files[i]);
    }
    assert_int_equal(entries_in(where), 1);
    assert_content(in_directory("abandoned/old"), "old");
    hd_file_abandon(NULL);
}

/* Commit fails: the error names the path, nothing is left but what was there. */
static void assert_commit_fails(hd_file *file, const char *path, int number) {
    hd_error error = {0};
    char expected[3 * PATH_MAX];
    snprintf(expected, sizeof expected, "%s: cannot write: %s", path, strerror(number));
    assert_false(hd_file_commit(file, &error));
    assert_string_equal(error.text, expected);
}

static void failed_rename_leaves_nothing(void **state) {
    (void)state;
    const char *where = fresh("rename");
    const char *path = in_directory("rename/file");
    hd_file *file = create(path);
    hd_file_write(file, "text", 4);
    assert_int_equal(mkdir(path, 0777), 0); /* takes the name while we write */
    assert_commit_fails(file, path, EISDIR);
    assert_int_equal(entries_in(where), 1);
}

static void write_until_failure(hd_file *file) {
    for (int i = 0; i < 64 && !hd_file_failed(file); i++) {
        memset(hd_file_reserve(file, 1 << 17), 'x', 1 << 17);
        hd_file_advance(file, 1 << 17);
    }
    assert_true(hd_file_failed(file));
    hd_file_write(file, "more", 4); /* is allowed, and lost */
}

/* A limit on the size of files stands for a disk that is full. */
static void full_disk_leaves_nothing(void **state) {
    (void)state;
    const char *where = fresh("full");
    const char *path = in_directory("full/file");
    spill(path, "old");
    struct rlimit old, limit;
    getrlimit(RLIMIT_FSIZE, &old);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    limit = old;
    limit.rlim_cur = 3 << 20;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    hd_file *file = create(path);
    write_until_failure(file);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, handler);
    assert_commit_fails(file, path, EFBIG);
    assert_int_equal(entries_in(where), 1);
    assert_content(path, "old");
}

static void full_device_is_an_error(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        return;
    hd_file *file = create("/dev/full");
    hd_file_write(file, "text", 4);
    assert_false(hd_file_failed(file)); /* still in the buffer */
    assert_commit_fails(file, "/dev/full", ENOSPC);
    file = create("/dev/full");
    write_until_failure(file);
    assert_commit_fails(file, "/dev/full", ENOSPC);
    assert_int_equal(access("/dev/full", W_OK), 0);
}

static void symbolic_link_stays_one(void **state) {
    (void)state;
    fresh("link");
    fresh("link/far");
    const char *link_path = in_directory("link/link");
    const char *target = in_directory("link/far/target");
    spill(target, "old");
    assert_int_equal(symlink("far/target", link_path), 0);
    hd_file *file = create(link_path);
    hd_file_write(file, "new", 3);
    commit(file);
    struct stat status;
    assert_int_equal(lstat(link_path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_content(target, "new");
    assert_int_equal(entries_in(in_directory("link")), 2);
    assert_int_equal(entries_in(in_directory("link/far")), 1);
}

static void assert_mode(const char *path, unsigned mode) {
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, mode);
}

static void mode_is_kept(void **state) {
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0755, 0666};
    const char *path = in_directory("mode");
    mode_t old = umask(027);
    commit(create(path));
    assert_mode(path, 0640); /* as any new file */
    for (size_t i = 0; i < ITEMS(modes); i++) {
        assert_int_equal(chmod(path, modes[i]), 0);
        commit(create(path));
        assert_mode(path, modes[i]);
    }
    umask(old);
}

static void assert_create_fails(const char *path, int number) {
    hd_error error = {0};
    char expected[3 * PATH_MAX];
    snprintf(expected, sizeof expected, "%s: cannot write: %s", path, strerror(number));
    assert_null(hd_file_create(path, &error));
    assert_string_equal(error.text, expected);
}

static void files_that_cannot_be(void **state) {
    (void)state;
    assert_create_fails(directory, EISDIR);
    assert_create_fails(in_directory("no/such/directory"), ENOENT);
    assert_create_fails("", ENOENT);
    spill(in_directory("regular"), "");
    assert_create_fails(in_directory("regular/below"), ENOTDIR);
    assert_null(hd_file_create(directory, NULL));
    if (geteuid() == 0)
        return; /* root may write anywhere */
    fresh("closed");
    assert_int_equal(chmod(in_directory("closed"), 0500), 0);
    assert_create_fails(in_directory("closed/file"), EACCES);
}

static void other_peoples_temporary_file_is_left_alone(void **state) {
    (void)state;
    fresh("squat");
    char name[64];
    for (unsigned i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "squat/file.tmp%u", (unsigned)getpid() % 100000 + i);
        spill(in_directory(name), "not ours");
    }
    hd_file *file = create(in_directory("squat/file"));
    hd_file_write(file, "text", 4);
    commit(file);
    assert_content(in_directory("squat/file"), "text");
    assert_content(in_directory(name), "not ours");
    assert_int_equal(entries_in(in_directory("squat")), 4);
}

static void dash_is_standard_output(void **state) {
    (void)state;
    struct redirection redirection;
    redirect(&redirection, STDOUT_FILENO);
    hd_file *file = create("-");
    hd_file_write(file, "to standard output\n", 19);
    bool committed = hd_file_commit(file, NULL);
    bool open = fcntl(STDOUT_FILENO, F_GETFD) >= 0; /* ours to use on */
    char *text = captured(&redirection);
    assert_true(committed);
    assert_true(open);
    assert_string_equal(text, "to standard output\n");
    free(text);
    assert_int_equal(access("-", F_OK), -1);
}

static void what_is_no_file_is_written_directly(void **state) {
    (void)state;
    hd_file *file = create("/dev/null");
    hd_file_write(file, "text", 4);
    commit(file);
    struct stat status;
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    const char *path = in_directory("pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    file = create(path);
    hd_file_write(file, "through a pipe", 14);
    commit(file);
    char text[32] = "";
    assert_int_equal(read(reader, text, sizeof text - 1), 14);
    assert_string_equal(text, "through a pipe");
    close(reader);
}

/* One piece of a random size, by any of the ways, to the file and to `expected`. */
static void write_piece(hd_file *file, hd_vec_char *expected, hd_random *random) {
    size_t size = hd_random_below(random, hd_random_chance(random, 20) ? 3 << 20 : 5000);
    size_t start = expected->length;
    for (size_t i = 0; i < size; i++)
        hd_vec_push(expected, (char)('a' + (start + i) % 23));
    const char *piece = expected->data + start;
    if (size > 1 << 17 || hd_random_chance(random, 500)) {
        hd_file_write(file, piece, size);
    } else if (hd_random_chance(random, 300)) {
        hd_file_print(file, "%.*s", (int)size, size ? piece : "");
    } else {
        memcpy(hd_file_reserve(file, size + hd_random_below(random, (1 << 17) - size + 1)), piece,
               size);
        hd_file_advance(file, size);
    }
}

static void every_byte_arrives(void **state) {
    (void)state;
    hd_random random;
    hd_random_seed(&random, 8);
    const char *path = in_directory("bytes");
    hd_vec_char expected = {0};
    hd_file *file = create(path);
    hd_vec_push(&expected, 'x');
    hd_file_write(file, "x", 1);
    for (int i = 0; i < 300; i++) {
        write_piece(file, &expected, &random);
        assert_int_equal(hd_file_offset(file), expected.length);
    }
    commit(file);
    size_t length;
    char *content = slurp(path, &length);
    assert_int_equal(length, expected.length);
    assert_memory_equal(content, expected.data, length);
    free(content);
    hd_vec_release(&expected);
}

/* ---- Whole files ---- */

static void whole_file_is_read(void **state) {
    (void)state;
    enum { SIZE = 200000 };
    const char *path = in_directory("whole");
    hd_file *file = create(path);
    for (int i = 0; i < SIZE; i++)
        hd_file_write(file, &(char){(char)(i % 251)}, 1);
    commit(file);
    hd_vec_char text = {0};
    hd_error error = {""};
    hd_vec_push(&text, 'a'); /* what is there stays */
    assert_true(hd_file_load(path, &text, &error));
    assert_int_equal(text.length, SIZE + 1);
    for (int i = 0; i < SIZE; i++)
        assert_int_equal(text.data[i + 1], (char)(i % 251));
    assert_int_equal(text.data[SIZE + 1], '\0');
    static const size_t limits[] = {0, 100, 65535, 65536, SIZE - 1, SIZE, SIZE + 1};
    for (size_t i = 0; i < ITEMS(limits); i++) {
        hd_vec_clear(&text);
        assert_int_equal(hd_file_read(path, limits[i], &text), 0);
        assert_int_equal(text.length, limits[i] < SIZE ? limits[i] + 1 : SIZE);
    }
    hd_vec_release(&text);
}

static void whole_file_that_cannot_be_read(void **state) {
    (void)state;
    hd_vec_char text = {0};
    hd_error error = {""};
    assert_int_equal(hd_file_read(in_directory("absent"), 10, &text), ENOENT);
    assert_false(hd_file_load(in_directory("absent"), &text, &error));
    assert_non_null(strstr(error.text, "absent: cannot open: No such file or directory"));
    assert_int_equal(hd_file_read(fresh("folder"), 10, &text), EISDIR);
    assert_false(hd_file_load(in_directory("folder"), &text, &error));
    assert_non_null(strstr(error.text, "folder: cannot read: Is a directory"));
    hd_vec_release(&text);
}

SUPPORT_SUITE(test_base_files) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_appears_at_commit),
        cmocka_unit_test(exit_removes_temporary_files),
        cmocka_unit_test(file_is_replaced_at_commit),
        cmocka_unit_test(abandoned_file_leaves_nothing),
        cmocka_unit_test(failed_rename_leaves_nothing),
        cmocka_unit_test(full_disk_leaves_nothing),
        cmocka_unit_test(full_device_is_an_error),
        cmocka_unit_test(symbolic_link_stays_one),
        cmocka_unit_test(mode_is_kept),
        cmocka_unit_test(files_that_cannot_be),
        cmocka_unit_test(other_peoples_temporary_file_is_left_alone),
        cmocka_unit_test(dash_is_standard_output),
        cmocka_unit_test(what_is_no_file_is_written_directly),
        cmocka_unit_test(every_byte_arrives),
        cmocka_unit_test(batch_appears_at_its_end),
        cmocka_unit_test(batch_is_abandoned),
        cmocka_unit_test(batch_names_what_failed),
        cmocka_unit_test(whole_file_is_read),
        cmocka_unit_test(whole_file_that_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
