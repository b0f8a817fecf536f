/*
 * ledger.c - day-end bookkeeping for a small shop.
 *
 * The program reads a text journal (built in below, so that it needs no input
 * files), adds what the till recorded, and keeps double-entry accounts: every
 * posting takes an amount from one account and puts it into another, so all
 * balances always add up to zero.  It then prints
 *
 *   - the accounts, grouped by type,
 *   - the stock, valued first in, first out,
 *   - the takings by product,
 *   - the cash held in foreign currencies, and
 *   - the till roll and the totals, in cents, one "key: value" line each,
 *     which a spreadsheet picks up.
 *
 * All money is in cents.  Amounts that come into an account are positive.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ACCOUNTS 64
#define MAX_LOTS     8
#define BUCKETS      32 /* a power of two */
#define NAME_LEN     32
#define VAT_PERCENT  20
#define RATE_ONE     1000000L /* exchange rates are in millionths */

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

typedef long long cents_t;

enum account_type {
    ASSET,
    LIABILITY,
    INCOME,
    EXPENSE,
    EQUITY,
    ACCOUNT_TYPES
};

struct account {
    char name[NAME_LEN];
    enum account_type type;
    cents_t balance;
    int postings;
    struct account *next; /* in the same hash bucket */
};

struct date {
    int year;
    int month;
    int day;
};

struct ledger {
    struct account accounts[MAX_ACCOUNTS];
    struct account *buckets[BUCKETS];
    size_t count;
    int errors;
};

/* What was bought at one time for one price. */
struct lot {
    int qty;
    cents_t unit_cost;
};

struct product {
    const char *sku;
    const char *title;
    struct lot lots[MAX_LOTS]; /* oldest first */
    size_t lot_count;
    cents_t takings;
    int sold;
};

/* One line of the till roll.  Goods that come back have a negative qty. */
struct sale {
    int day;
    const char *sku;
    int qty;
    unsigned unit_price;
    int on_account; /* not paid yet */
};

struct currency {
    const char *code;
    long rate; /* euros for one unit, in millionths */
    cents_t held;
};

static const char *const type_names[ACCOUNT_TYPES] = {
    "assets", "liabilities", "income", "expenses", "equity"
};

static struct product products[] = {
    { .sku = "MUG", .title = "Stoneware mug" },
    { .sku = "POT", .title = "Teapot, 1.2 l" },
    { .sku = "TEA", .title = "Black tea, 100 g" },
    { .sku = "TIN", .title = "Tea tin" },
};

static const struct sale sales[] = {
    { .day = 4, .sku = "MUG", .qty = 6, .unit_price = 895 },
    { .day = 4, .sku = "TEA", .qty = 10, .unit_price = 420 },
    { .day = 5, .sku = "POT", .qty = 1, .unit_price = 3450 },
    { .day = 5, .sku = "TIN", .qty = 8, .unit_price = 250 },
    { .day = 5, .sku = "TEA", .qty = 12, .unit_price = 420, .on_account = 1 },
    { .day = 6, .sku = "TIN", .qty = -3, .unit_price = 250 },
    { .day = 6, .sku = "MUG", .qty = 2, .unit_price = 950 },
    { .day = 7, .sku = "POT", .qty = 2, .unit_price = 3295, .on_account = 1 },
    { .day = 7, .sku = "TEA", .qty = 5, .unit_price = 445 },
};

static struct currency currencies[] = {
    { "GBP", 1171250L, 12050 },
    { "CHF", 1043700L, -3015 },
    { "SEK", 88125L, 99950 },
    { "JPY", 6137L, -1250 },
};

/*
 * One transaction per line: date, amount, account to, account from, and
 * anything after a '#' is a note.  "buy" lines add to the stock as well.
 */
static const char journal[] =
    "2024-03-01 5000.00 assets:bank equity:capital # start\n"
    "2024-03-01 850.00 expenses:rent assets:bank\n"
    "2024-03-02 300.00 assets:cash assets:bank # float for the till\n"
    "buy MUG 12 4.10\n"
    "buy POT 4 17.95\n"
    "buy TEA 40 1.85\n"
    "\n"
    "# second delivery, dearer\n"
    "buy MUG 10 4.45\n"
    "buy TIN 20 0.99\n"
    "2024-03-04 64.80 expenses:power liabilities:utility\n"
    "2024-03-05 18.25 expenses:supplies assets:cash # paper, string\n"
    "2024-03-06 -6.40 expenses:supplies assets:cash # string returned\n"
    "2024-03-06 64.80 liabilities:utility assets:bank\n"
    "2024-03-07 12.30 expenses:bank assets:bank\n";

/* ---- numbers ---------------------------------------------------------- */

/* Divides, rounding to nearest and halves away from zero. */
static cents_t div_round(cents_t num, cents_t den)
{
    if (num < 0)
        return -((-num + den / 2) / den);
    return (num + den / 2) / den;
}

/* The tax contained in a gross amount. */
static cents_t vat_part(cents_t gross)
{
    return div_round(gross * VAT_PERCENT, 100 + VAT_PERCENT);
}

/* Writes an amount as "-1,234.56" to buf, which it returns. */
static char *format_cents(char *buf, size_t size, cents_t amount)
{
    char digits[24];
    cents_t units = amount / 100;
    int rest = (int)(amount % 100);
    size_t len, i, out = 0;

    if (amount < 0) {
        units = -units;
        rest = -rest;
    }
    len = (size_t)snprintf(digits, sizeof digits, "%lld", units);
    if (size < len + len / 3 + 6) {
        buf[0] = '\0';
        return buf;
    }
    if (amount < 0)
        buf[out++] = '-';
    for (i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            buf[out++] = ',';
        buf[out++] = digits[i];
    }
    snprintf(buf + out, size - out, ".%02d", rest);
    return buf;
}

/* Prints one row of a report: a label, dots, and an amount. */
static void print_row(const char *label, cents_t amount)
{
    char buf[32];
    int width = (int)strlen(label);

    printf("  %s ", label);
    for (; width < 28; width++)
        putchar('.');
    printf(" %14s\n", format_cents(buf, sizeof buf, amount));
}

/* ---- accounts --------------------------------------------------------- */

/* FNV-1a. */
static uint32_t hash_name(const char *name)
{
    uint32_t h = 2166136261u;

    while (*name != '\0') {
        h ^= (unsigned char)*name++;
        h *= 16777619u;
    }
    return h;
}

/* The type that an account's name starts with, or -1. */
static int type_of(const char *name)
{
    const char *colon = strchr(name, ':');
    size_t len;
    int t;

    if (colon == NULL)
        return -1;
    len = (size_t)(colon - name);
    for (t = 0; t < ACCOUNT_TYPES; t++) {
        if (strlen(type_names[t]) == len && strncmp(name, type_names[t], len) == 0)
            return t;
    }
    return -1;
}

/* Finds the account of that name, opening it if need be; NULL if it cannot. */
static struct account *get_account(struct ledger *l, const char *name)
{
    struct account **bucket = &l->buckets[hash_name(name) & (BUCKETS - 1)];
    struct account *a;
    int type;

    for (a = *bucket; a != NULL; a = a->next) {
        if (strcmp(a->name, name) == 0)
            return a;
    }
    type = type_of(name);
    if (type < 0 || l->count == MAX_ACCOUNTS || strlen(name) >= NAME_LEN)
        return NULL;
    a = &l->accounts[l->count++];
    strcpy(a->name, name);
    a->type = (enum account_type)type;
    a->next = *bucket;
    *bucket = a;
    return a;
}

/* Moves an amount between two accounts. */
static int post(struct ledger *l, const char *to, const char *from, cents_t amount)
{
    struct account *debit = get_account(l, to);
    struct account *credit = get_account(l, from);

    if (debit == NULL || credit == NULL || debit == credit) {
        fprintf(stderr, "cannot post from %s to %s\n", from, to);
        l->errors++;
        return -1;
    }
    debit->balance += amount;
    debit->postings++;
    credit->balance -= amount;
    credit->postings++;
    return 0;
}

static int compare_accounts(const void *x, const void *y)
{
    const struct account *a = *(const struct account *const *)x;
    const struct account *b = *(const struct account *const *)y;

    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* ---- stock ------------------------------------------------------------ */

static struct product *find_product(const char *sku)
{
    size_t i;

    for (i = 0; i < ARRAY_LEN(products); i++) {
        if (strcmp(products[i].sku, sku) == 0)
            return &products[i];
    }
    return NULL;
}

static int add_lot(struct product *p, int qty, cents_t unit_cost)
{
    struct lot *lot;

    if (p->lot_count == MAX_LOTS || qty <= 0)
        return -1;
    lot = &p->lots[p->lot_count++];
    lot->qty = qty;
    lot->unit_cost = unit_cost;
    return 0;
}

/* Takes goods off the oldest lots; the result is what they had cost. */
static cents_t take_stock(struct product *p, int qty)
{
    cents_t cost = 0;
    size_t i;

    for (i = 0; i < p->lot_count && qty > 0; i++) {
        struct lot *lot = &p->lots[i];
        int n = qty < lot->qty ? qty : lot->qty;

        lot->qty -= n;
        qty -= n;
        cost += n * lot->unit_cost;
    }
    if (qty > 0)
        fprintf(stderr, "%s: %d more sold than bought\n", p->sku, qty);
    return cost;
}

/* Puts returned goods back into the newest lot. */
static cents_t return_stock(struct product *p, int qty)
{
    struct lot *lot;

    if (p->lot_count == 0)
        return 0;
    lot = &p->lots[p->lot_count - 1];
    lot->qty += qty;
    return qty * lot->unit_cost;
}

/* ---- journal ---------------------------------------------------------- */

static const char *skip_blanks(const char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    return s;
}

/* Reads an unsigned number; NULL if there is none. */
static const char *parse_number(const char *s, int *value)
{
    int n = 0;

    if (*s < '0' || *s > '9')
        return NULL;
    for (; *s >= '0' && *s <= '9'; s++) {
        if (n > 99999999)
            return NULL;
        n = n * 10 + (*s - '0');
    }
    *value = n;
    return s;
}

/* Reads "-12.50". */
static const char *parse_amount(const char *s, cents_t *amount)
{
    int negative = 0, units, tenths;

    s = skip_blanks(s);
    if (*s == '-') {
        negative = 1;
        s++;
    }
    s = parse_number(s, &units);
    if (s == NULL || s[0] != '.' || s[1] == '\0')
        return NULL;
    if (parse_number(s + 1, &tenths) != s + 3)
        return NULL;
    *amount = (cents_t)units * 100 + tenths;
    if (negative)
        *amount = -*amount;
    return s + 3;
}

/* Reads "2024-02-29". */
static const char *parse_date(const char *s, struct date *d)
{
    static const int month_days[] = {
        31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31
    };
    int leap, last;

    s = parse_number(s, &d->year);
    if (s == NULL || *s != '-')
        return NULL;
    s = parse_number(s + 1, &d->month);
    if (s == NULL || *s != '-' || d->month < 1 || d->month > 12)
        return NULL;
    s = parse_number(s + 1, &d->day);
    leap = (d->year % 4 == 0 && d->year % 100 != 0) || d->year % 400 == 0;
    last = month_days[d->month - 1] + (leap && d->month == 2);
    if (s == NULL || d->day < 1 || d->day > last)
        return NULL;
    return s;
}

/* Reads a word of at most NAME_LEN - 1 characters. */
static const char *parse_word(const char *s, char word[NAME_LEN])
{
    size_t n = 0;

    s = skip_blanks(s);
    while (*s != '\0' && *s != ' ' && *s != '\t' && *s != '\n' && *s != '#') {
        if (n == NAME_LEN - 1)
            return NULL;
        word[n++] = *s++;
    }
    word[n] = '\0';
    return n > 0 ? s : NULL;
}

/* "buy SKU QTY COST" */
static const char *parse_purchase(struct ledger *l, const char *s)
{
    char sku[NAME_LEN];
    struct product *p;
    cents_t cost;
    int qty;

    if ((s = parse_word(s, sku)) == NULL)
        return NULL;
    if ((s = parse_number(skip_blanks(s), &qty)) == NULL)
        return NULL;
    if ((s = parse_amount(s, &cost)) == NULL)
        return NULL;
    p = find_product(sku);
    if (p == NULL || add_lot(p, qty, cost) != 0)
        return NULL;
    post(l, "assets:stock", "assets:bank", qty * cost);
    return s;
}

/* "DATE AMOUNT TO FROM" */
static const char *parse_transaction(struct ledger *l, const char *s, struct date *last)
{
    char to[NAME_LEN], from[NAME_LEN];
    struct date d;
    cents_t amount;

    if ((s = parse_date(s, &d)) == NULL)
        return NULL;
    if ((s = parse_amount(s, &amount)) == NULL)
        return NULL;
    if ((s = parse_word(s, to)) == NULL)
        return NULL;
    if ((s = parse_word(s, from)) == NULL)
        return NULL;
    if (post(l, to, from, amount) != 0)
        return NULL;
    *last = d;
    return s;
}

/* Reads the whole journal; the result is the number of entries. */
static int read_journal(struct ledger *l, const char *text, struct date *last)
{
    const char *s = text;
    int line, entries = 0;

    for (line = 1; *s != '\0'; line++) {
        const char *end = NULL;

        s = skip_blanks(s);
        if (*s != '\n' && *s != '#') {
            if (strncmp(s, "buy ", 4) == 0)
                end = parse_purchase(l, s + 4);
            else
                end = parse_transaction(l, s, last);
            if (end != NULL) {
                entries++;
                end = skip_blanks(end);
            }
            if (end == NULL || (*end != '\n' && *end != '#')) {
                fprintf(stderr, "journal:%d: syntax error\n", line);
                l->errors++;
            }
        }
        while (*s != '\0' && *s++ != '\n')
            ;
    }
    return entries;
}

/* ---- till ------------------------------------------------------------- */

/* Posts one line of the till roll: the goods, the money and the tax. */
static void post_sale(struct ledger *l, const struct sale *s)
{
    const char *purse = s->on_account ? "assets:receivable" : "assets:cash";
    cents_t amount = (cents_t)s->qty * s->unit_price;
    cents_t tax = vat_part(amount);
    struct product *p = find_product(s->sku);

    if (p == NULL) {
        fprintf(stderr, "till: no product %s\n", s->sku);
        l->errors++;
        return;
    }
    post(l, purse, "income:sales", amount - tax);
    post(l, purse, "liabilities:vat", tax);
    if (s->qty >= 0)
        post(l, "expenses:goods", "assets:stock", take_stock(p, s->qty));
    else
        post(l, "assets:stock", "expenses:goods", return_stock(p, -s->qty));
    p->takings += amount;
    p->sold += s->qty;
}

/* ---- reports ---------------------------------------------------------- */

static void report_accounts(const struct ledger *l)
{
    const struct account *sorted[MAX_ACCOUNTS];
    cents_t sum = 0;
    size_t i, j;

    for (i = 0; i < l->count; i++)
        sorted[i] = &l->accounts[i];
    qsort(sorted, l->count, sizeof sorted[0], compare_accounts);

    puts("ACCOUNTS");
    for (i = 0; i < l->count; i = j) {
        cents_t subtotal = 0;

        for (j = i; j < l->count && sorted[j]->type == sorted[i]->type; j++) {
            print_row(sorted[j]->name, sorted[j]->balance);
            subtotal += sorted[j]->balance;
        }
        print_row(type_names[sorted[i]->type], subtotal);
        sum += subtotal;
    }
    print_row("all accounts", sum);
}

static cents_t report_stock(void)
{
    cents_t total = 0;
    size_t i, j;

    puts("STOCK");
    for (i = 0; i < ARRAY_LEN(products); i++) {
        const struct product *p = &products[i];
        cents_t value = 0;
        int qty = 0;

        for (j = 0; j < p->lot_count; j++) {
            qty += p->lots[j].qty;
            value += p->lots[j].qty * p->lots[j].unit_cost;
        }
        printf("  %-4s %4d", p->sku, qty);
        print_row(p->title, value);
        total += value;
    }
    return total;
}

static int compare_takings(const void *x, const void *y)
{
    const struct product *a = *(const struct product *const *)x;
    const struct product *b = *(const struct product *const *)y;

    if (a->takings != b->takings)
        return a->takings > b->takings ? -1 : 1;
    return strcmp(a->sku, b->sku);
}

/* The products, best first, with their share of the takings in percent. */
static cents_t report_products(void)
{
    const struct product *sorted[ARRAY_LEN(products)];
    cents_t total = 0;
    size_t i;

    for (i = 0; i < ARRAY_LEN(products); i++) {
        sorted[i] = &products[i];
        total += products[i].takings;
    }
    qsort(sorted, ARRAY_LEN(sorted), sizeof sorted[0], compare_takings);

    puts("PRODUCTS");
    for (i = 0; i < ARRAY_LEN(sorted); i++) {
        cents_t share = total == 0 ? 0 : div_round(sorted[i]->takings * 100, total);

        printf("  %3d sold %3lld%%", sorted[i]->sold, share);
        print_row(sorted[i]->title, sorted[i]->takings);
    }
    return total;
}

static cents_t report_currencies(void)
{
    cents_t total = 0;
    size_t i;

    puts("CURRENCIES");
    for (i = 0; i < ARRAY_LEN(currencies); i++) {
        struct currency *c = &currencies[i];
        cents_t value = div_round(c->held * c->rate, RATE_ONE);

        print_row(c->code, value);
        total += value;
    }
    return total;
}

/* ---- checks ----------------------------------------------------------- */

static void check(struct ledger *l, const char *what, cents_t got, cents_t want)
{
    if (got == want)
        return;
    fprintf(stderr, "check failed: %s is %lld, not %lld\n", what, got, want);
    l->errors++;
}

int main(void)
{
    static struct ledger ledger;
    struct date last = { 0, 0, 0 };
    cents_t stock, takings, foreign, sum = 0;
    int entries;
    size_t i;

    entries = read_journal(&ledger, journal, &last);
    for (i = 0; i < ARRAY_LEN(sales); i++)
        post_sale(&ledger, sales + i);

    report_accounts(&ledger);
    stock = report_stock();
    takings = report_products();
    foreign = report_currencies();

    for (i = 0; i < ledger.count; i++)
        sum += ledger.accounts[i].balance;
    check(&ledger, "the sum of all accounts", sum, 0);
    check(&ledger, "the stock", stock, get_account(&ledger, "assets:stock")->balance);

    /* For the spreadsheet: the till roll line by line, and the totals. */
    puts("TILL");
    for (i = 0; i < ARRAY_LEN(sales); i++) {
        const struct sale *s = sales + i;
        cents_t amount = s->qty * s->unit_price;

        if (s->qty < 0)
            printf("refund: %lld\n", amount);
        else
            printf("sale: %lld\n", amount);
    }

    puts("TOTALS");
    printf("last entry: %04d-%02d-%02d\n", last.year, last.month, last.day);
    printf("entries: %d\n", entries);
    printf("stock: %lld\n", stock);
    printf("foreign: %lld\n", foreign);
    printf("takings: %lld\n", takings);
    return ledger.errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
