// refused: preprocessed for 32
# 1 "refused.c"
typedef unsigned int size_t;
extern void reach_error(void);
int width[sizeof(void *) == 4 ? 1 : -1];
int main() { return 0; }
