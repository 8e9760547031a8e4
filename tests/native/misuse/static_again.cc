// The initialisation of a static variable asks for itself.
static int again(int depth);
static int first(int depth) {
    static int value = again(depth);
    return value;
}
static int again(int depth) {
#ifdef CLEAN
    depth = 0;
#endif
    return depth ? first(depth - 1) : 0;
}
int main() {
    return first(1);
}
