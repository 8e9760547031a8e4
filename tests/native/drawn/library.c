/* What drawn programs call behind a lock; built without heddle, as a library and as an object file.
 */
static unsigned count;
static char text[64];
static int length;

unsigned lib_next(void) {
    return ++count;
}

void lib_note(int c) {
    if (length < 63)
        text[length++] = (char)c;
}

const char *lib_text(void) {
    return text;
}
