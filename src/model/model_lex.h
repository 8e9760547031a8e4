/*
 * Words and marks of a model's text, one at a time.
 */
#ifndef HD_MODEL_LEX_H
#define HD_MODEL_LEX_H

#include "model_syntax.h"

/* Words with a meaning of their own. */
#define HD_MODEL_KEYWORDS(X)                                                                       \
    X(ARRIVE, "arrive")                                                                            \
    X(ASSERT, "assert")                                                                            \
    X(ASSUME, "assume")                                                                            \
    X(ATOMIC, "atomic")                                                                            \
    X(AWAIT, "await")                                                                              \
    X(BARRIER, "barrier")                                                                          \
    X(CAS, "cas")                                                                                  \
    X(CHANNEL, "channel")                                                                          \
    X(CHOOSE, "choose")                                                                            \
    X(COND, "cond")                                                                                \
    X(ELSE, "else")                                                                                \
    X(FALSE, "false")                                                                              \
    X(FOR, "for")                                                                                  \
    X(FORK, "fork")                                                                                \
    X(FUNCTION, "function")                                                                        \
    X(ID, "id")                                                                                    \
    X(IF, "if")                                                                                    \
    X(INVARIANT, "invariant")                                                                      \
    X(JOIN, "join")                                                                                \
    X(LOCAL, "local")                                                                              \
    X(LOCK, "lock")                                                                                \
    X(MUTEX, "mutex")                                                                              \
    X(NOTIFY, "notify")                                                                            \
    X(NOTIFYALL, "notifyall")                                                                      \
    X(PARAM, "param")                                                                              \
    X(POST, "post")                                                                                \
    X(RDLOCK, "rdlock")                                                                            \
    X(RECV, "recv")                                                                                \
    X(RETURN, "return")                                                                            \
    X(RWLOCK, "rwlock")                                                                            \
    X(SEMAPHORE, "semaphore")                                                                      \
    X(SEND, "send")                                                                                \
    X(SHARED, "shared")                                                                            \
    X(SKIP, "skip")                                                                                \
    X(TAKE, "take")                                                                                \
    X(THREAD, "thread")                                                                            \
    X(TRUE, "true")                                                                                \
    X(TRY, "try")                                                                                  \
    X(UNLOCK, "unlock")                                                                            \
    X(WAIT, "wait")                                                                                \
    X(WHILE, "while")                                                                              \
    X(WRLOCK, "wrlock")

/* A token: a mark of one character is that character, the others are below. */
enum hd_model_token {
    HD_MODEL_T_END = 256,
    HD_MODEL_T_NAME,
    HD_MODEL_T_NUMBER,
    HD_MODEL_T_OPERATOR, /* a binary operator; '-' and '&' too */
#define HD_MODEL_TOKEN_(name, text) HD_MODEL_T_##name,
    HD_MODEL_KEYWORDS(HD_MODEL_TOKEN_)
#undef HD_MODEL_TOKEN_
};

typedef struct hd_model_lexer {
    const hd_model_tree *tree;
    hd_model_error *error;
    uint32_t next;     /* where to read on */
    uint32_t last_end; /* the end of the token before this one */
    uint32_t line;     /* of the current token */

    int token; /* the current one */
    uint32_t at, length;
    int64_t value;     /* of a number */
    uint8_t operation; /* of an operator: enum hd_model_code */
    uint8_t binds;
} hd_model_lexer;

void hd_model_lexer_init(hd_model_lexer *lexer, const hd_model_tree *tree, hd_model_error *error);

/* Goes to the next token; false if the text is not a token. */
bool hd_model_lexer_next(hd_model_lexer *lexer);

/* Is the current token this binary operator? */
static inline bool hd_model_lexer_is(const hd_model_lexer *lexer, enum hd_model_code operation) {
    return lexer->token == HD_MODEL_T_OPERATOR && lexer->operation == operation;
}

#endif
