/*
 * What the source says of an allocation, and C++ names without their defaults.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support_files.h"
#include "support_suite.h"
#include "symbols/symbols_shorten.h"
#include "symbols/symbols_source.h"

/* The pointer and the type of the allocation in the last line of a text, "?" if it is not clear. */
static void expect(const char *text, int column, const char *pointer, const char *type) {
    char path[256];
    support_temporary(path, sizeof path, "source");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    int line = 1;
    for (const char *at = text; *at; at++)
        line += *at == '\n';
    hd_symbols_source *source = hd_symbols_source_read(path);
    assert_non_null(source);
    hd_symbols_allocated it;
    bool found = hd_symbols_source_find(source, line, column, &it);
    if (strcmp(pointer, "?") == 0) {
        assert_false(found);
    } else {
        assert_true(found);
        assert_string_equal(it.pointer.length ? it.pointer.data : "", pointer);
        assert_string_equal(it.type.length ? it.type.data : "", type);
    }
    hd_symbols_allocated_release(&it);
    hd_symbols_source_free(source);
    unlink(path);
}

static void pointers(void **state) {
    (void)state;
    expect("queue *q = malloc(sizeof *q);", 0, "q", "");
    expect("if (!(q->head = calloc(1, n)))", 0, "q->head", "");
    expect("a.b[i + f(2)].c = malloc(4);", 0, "a.b[].c", "");
    expect("{ *out = malloc(4); }", 0, "*out", "");
    expect("struct node *n = malloc(4);", 0, "n", "");
    expect("node *a = f(),\n *b = malloc(4);", 0, "b", "");
    expect("x = 1,\n *b = malloc(4);", 0, "*b", "");
    expect("return malloc(4);", 0, "?", "");
    expect("x = f(malloc(4));", 0, "?", "");
    expect("x == malloc(4);", 0, "?", "");
    expect("x += malloc(4);", 0, "?", "");
    expect("p = std::malloc(4);", 0, "p", "");
    expect("p = ::malloc(4);", 0, "p", "");
    expect("p = strdup(\"x = malloc(1)\");", 0, "p", "");
    expect("p = /* q = malloc(1) */ malloc(2); // r = malloc(3)", 0, "p", "");
    expect("#define MAKE q = malloc(1); \\\n r = malloc(2);\np = malloc(3);", 0, "p", "");
    expect("mymalloc(3);", 0, "?", "");
    expect("malloc", 0, "?", "");
    expect("= malloc(", 0, "?", "");
    expect("p = malloc(", 0, "p", "");
    expect("] = malloc(1)", 0, "?", "");
}

static void types(void **state) {
    (void)state;
    expect("return (struct node *)malloc(4);", 0, "", "node");
    expect("return malloc(sizeof(struct node));", 0, "", "node");
    expect("p = malloc(3 * sizeof(named_t) + 4);", 0, "p", "named_t");
    expect("return new Account(3, new_one);", 0, "", "Account");
    expect("a = new std::pair<int, std::string>{1, s};", 0, "a", "std::pair<int,std::string>");
    expect("a = new (std::nothrow) T[3];", 0, "a", "T");
    expect("a = new;", 0, "?", "");
    expect("int new = 3;", 0, "?", "");
}

static void several_in_a_line(void **state) {
    (void)state;
    expect("a = malloc(1); b = malloc(2);", 5, "a", "");
    expect("a = malloc(1); b = malloc(2);", 20, "b", "");
    expect("a = malloc(1); b = malloc(2);", 14, "?", "");
    expect("a = malloc(1); b = malloc(2);", 0, "?", "");
}

static void expect_short(const char *from, const char *to) {
    hd_vec_char text = {0};
    hd_text_append(&text, "<x>%s", from);
    hd_symbols_shorten(&text, 3);
    assert_memory_equal(text.data, "<x>", 3);
    assert_string_equal(text.data + 3, to);
    assert_int_equal(text.length, strlen(to) + 3);
    hd_vec_release(&text);
}

static void shorter(void **state) {
    (void)state;
    expect_short("std::vector<int, std::allocator<int> >", "std::vector<int>");
    expect_short(
        "std::map<int, A<B>, std::less<int>, std::allocator<std::pair<int const, A<B> > > >",
        "std::map<int, A<B>>");
    expect_short("std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
                 "std::string");
    expect_short("f(int, std::allocator<int>)", "f(int, std::allocator<int>)");
    expect_short("plain", "plain");
    expect_short("a->b", "a->b");
    expect_short("<", "<");
    expect_short("", "");
    expect_short("A<B, std::less<", "A<B");
}

static void expect_demangled(const char *name, const char *plain) {
    hd_vec_char text = {0};
    hd_symbols_demangle(name, &text);
    assert_string_equal(text.data, plain);
    hd_vec_release(&text);
}

static void demangled(void **state) {
    (void)state;
    expect_demangled("_ZNSt6thread4joinEv", "std::thread::join()");
    expect_demangled("main", "main");
    expect_demangled("_Z", "_Z");
    expect_demangled("_Znot", "_Znot");
}

SUPPORT_SUITE(test_symbols_source) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pointers),          cmocka_unit_test(types),
        cmocka_unit_test(several_in_a_line), cmocka_unit_test(shorter),
        cmocka_unit_test(demangled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
