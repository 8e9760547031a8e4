/*
 * Transfers between accounts: the textbook program.  The main thread opens the
 * accounts, forks the tellers, joins them and adds the accounts up.  A transfer
 * takes the locks of its two accounts, the lower one first, so no run can
 * deadlock; which teller moves next is drawn, so scopes of different accounts
 * overlap in the trace.  Reads have the value of the last write, so the sum at
 * the end is the sum at the start.
 */
#include "generate_emit.h"

enum { OPENING_BALANCE = 100, LARGEST_TRANSFER = 20 };

/* The steps of a transfer, in order.  IDLE: none has begun. */
enum step {
    IDLE,
    LOCK_LOW,
    LOCK_HIGH,
    READ_LOW,
    READ_HIGH,
    WRITE_LOW,
    WRITE_HIGH,
    FREE_HIGH,
    FREE_LOW
};

struct teller {
    enum step next;
    uint32_t low, high; /* the accounts */
    int64_t amount;     /* from low to high; may be negative */
    uint64_t left;      /* transfers to begin */
};

struct bank {
    hd_trace *trace;
    hd_random random;
    int64_t *balance;
    bool *locked;
    struct teller *tellers;
    uint32_t *working; /* tellers that have something left to do */
    uint32_t working_count;
    uint32_t accounts;
};

static void emit_access(struct bank *bank, uint32_t thread, enum heddle_kind kind, uint32_t account,
                        unsigned line) {
    hd_generate_emit_value(bank->trace, thread, kind, account, bank->balance[account]);
    hd_generate_emit_line(bank->trace, line);
}

static void emit_change(struct bank *bank, uint32_t thread, uint32_t account, int64_t by,
                        enum step step) {
    bank->balance[account] += by;
    emit_access(bank, thread, HEDDLE_WRITE, account, step);
}

static void emit_lock(struct bank *bank, uint32_t thread, enum heddle_kind kind, uint32_t account,
                      enum step step) {
    bank->locked[account] = kind == HEDDLE_ACQUIRE;
    hd_generate_emit(bank->trace, thread, kind, account);
    hd_generate_emit_line(bank->trace, step);
}

static void begin_transfer(struct bank *bank, struct teller *teller) {
    uint32_t one = (uint32_t)hd_random_below(&bank->random, bank->accounts);
    uint32_t other = (uint32_t)hd_random_below(&bank->random, bank->accounts - 1);
    other += other >= one;
    teller->low = one < other ? one : other;
    teller->high = one < other ? other : one;
    int64_t amount = 1 + (int64_t)hd_random_below(&bank->random, LARGEST_TRANSFER);
    teller->amount = one < other ? amount : -amount;
    teller->next = LOCK_LOW;
    teller->left--;
}

/* An account that would be overdrawn gives what it has. */
static void limit_amount(const struct bank *bank, struct teller *teller) {
    if (teller->amount > bank->balance[teller->low])
        teller->amount = bank->balance[teller->low];
    if (-teller->amount > bank->balance[teller->high])
        teller->amount = -bank->balance[teller->high];
}

static bool is_blocked(const struct bank *bank, const struct teller *teller) {
    return (teller->next == LOCK_LOW && bank->locked[teller->low]) ||
           (teller->next == LOCK_HIGH && bank->locked[teller->high]);
}

static void take_step(struct bank *bank, uint32_t thread, struct teller *teller) {
    enum step step = teller->next;
    teller->next = step == FREE_LOW ? IDLE : step + 1;
    switch (step) {
    case LOCK_LOW:
        emit_lock(bank, thread, HEDDLE_ACQUIRE, teller->low, step);
        break;
    case LOCK_HIGH:
        emit_lock(bank, thread, HEDDLE_ACQUIRE, teller->high, step);
        break;
    case READ_LOW:
        emit_access(bank, thread, HEDDLE_READ, teller->low, step);
        break;
    case READ_HIGH:
        emit_access(bank, thread, HEDDLE_READ, teller->high, step);
        limit_amount(bank, teller);
        break;
    case WRITE_LOW:
        emit_change(bank, thread, teller->low, -teller->amount, step);
        break;
    case WRITE_HIGH:
        emit_change(bank, thread, teller->high, teller->amount, step);
        break;
    case FREE_HIGH:
        emit_lock(bank, thread, HEDDLE_RELEASE, teller->high, step);
        break;
    case FREE_LOW:
        emit_lock(bank, thread, HEDDLE_RELEASE, teller->low, step);
        break;
    case IDLE:
        break;
    }
}

/* A drawn teller takes one step if its locks let it. */
static void move_one(struct bank *bank) {
    uint32_t at = (uint32_t)hd_random_below(&bank->random, bank->working_count);
    uint32_t worker = bank->working[at];
    struct teller *teller = &bank->tellers[worker];
    if (teller->next == IDLE && teller->left > 0)
        begin_transfer(bank, teller);
    if (!is_blocked(bank, teller))
        take_step(bank, worker + 1, teller);
    if (teller->next == IDLE && teller->left == 0)
        bank->working[at] = bank->working[--bank->working_count];
}

static void open_accounts(struct bank *bank) {
    for (uint32_t account = 0; account < bank->accounts && !hd_clock_over(); account++) {
        bank->balance[account] = OPENING_BALANCE;
        emit_access(bank, 0, HEDDLE_WRITE, account, 10);
    }
}

static void audit_accounts(struct bank *bank) {
    for (uint32_t account = 0; account < bank->accounts; account++)
        emit_access(bank, 0, HEDDLE_READ, account, 11);
}

static void emit_for_all(struct bank *bank, enum heddle_kind kind, uint32_t workers) {
    for (uint32_t worker = 1; worker <= workers; worker++)
        hd_generate_emit(bank->trace, 0, kind, worker);
}

static void run_bank(struct bank *bank, uint32_t workers, uint64_t transfers) {
    for (uint32_t worker = 0; worker < workers; worker++) {
        bank->tellers[worker].left = transfers;
        bank->working[worker] = worker;
    }
    bank->working_count = transfers > 0 ? workers : 0;
    open_accounts(bank);
    emit_for_all(bank, HEDDLE_FORK, workers);
    while (bank->working_count > 0 && !hd_clock_over())
        move_one(bank);
    emit_for_all(bank, HEDDLE_JOIN, workers);
    audit_accounts(bank);
}

bool hd_generate_bank(hd_trace *trace, const hd_generate_request *request, hd_error *error) {
    uint64_t workers = request->numbers[0], transfers = request->numbers[1];
    uint64_t accounts = request->numbers[2];
    if (!hd_generate_emit_fits(workers, 8 * transfers + 2 + 2 * accounts, error))
        return false;
    hd_generate_emit_names(trace, HEDDLE_CLASS_THREAD, "T", 0, workers + 1);
    hd_generate_emit_names(trace, HEDDLE_CLASS_VARIABLE, "account", 1, accounts);
    hd_generate_emit_names(trace, HEDDLE_CLASS_LOCK, "lock", 1, accounts);
    struct bank bank = {
        .trace = trace,
        .balance = HD_NEW_ARRAY(int64_t, accounts),
        .locked = HD_NEW_ARRAY(bool, accounts),
        .tellers = HD_NEW_ARRAY(struct teller, workers),
        .working = HD_NEW_ARRAY(uint32_t, workers),
        .accounts = (uint32_t)accounts,
    };
    hd_random_seed(&bank.random, request->seed);
    run_bank(&bank, (uint32_t)workers, transfers);
    free(bank.balance);
    free(bank.locked);
    free(bank.tellers);
    free(bank.working);
    return true;
}
