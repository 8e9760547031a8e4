// A loop without any scheduling point.
//@ case | violations=1
//@ patience 0.5
//@ finds no scheduling point for 0.5 seconds
int main(int argc, char **argv) {
    (void)argv;
    for (volatile int *never = &argc; *never;)
        __asm__ volatile("" ::: "memory");
    return 0;
}
