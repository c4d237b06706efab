/* SPDX-License-Identifier: MIT */
/*
 * rules.c - match texts against scrub rules, and replace what matches
 */
#include "scrub/rules.h"

#include <stdatomic.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/error.h"
#include "base/sha256.h"
#include "read/select.h"
#include "scrub/secret_name.h"

#define MAX_PATTERN  2000
#define MAX_TEMPLATE 1000

/* A repetition is unfolded by regcomp(), and repetitions in repetitions multiply. */
#define MAX_SIZE   4000
#define MAX_GROUPS 32

#define GROUPS 10

/* What is longer is a secret where a word may be one. */
#define LONGEST_WORD 256

/* Digits of a token: so many that 100000 texts do not meet. */
#define TOKEN_DIGITS 12

/* A set of rules ------------------------------------------------------------------------------- */

/* Without a salt of the caller's, tokens are of this run only. */
static int make_salt(struct jfrec_scrub_rules *rules, struct jfrec_error *err)
{
	rules->salt_len = SHA256_SIZE;
	rules->salt = malloc(SHA256_SIZE);
	if (!rules->salt)
		return jfrec_fail_memory(err);
	if (getrandom(rules->salt, SHA256_SIZE, 0) != SHA256_SIZE)
		return jfrec_fail_sys(err, errno, "no random numbers");
	return 0;
}

struct jfrec_scrub_rules *jfrec_scrub_rules_new(struct jfrec_error *err)
{
	struct jfrec_scrub_rules *rules = calloc(1, sizeof(*rules));

	if (!rules) {
		jfrec_fail_memory(err);
		return NULL;
	}
	if (make_salt(rules, err) == 0)
		return rules;
	jfrec_scrub_rules_free(rules);
	return NULL;
}

int jfrec_scrub_rules_salt(struct jfrec_scrub_rules *rules, const char *salt,
			   struct jfrec_error *err)
{
	char *copy = strdup(salt);

	if (!copy)
		return jfrec_fail_memory(err);
	free(rules->salt);
	rules->salt = copy;
	rules->salt_len = strlen(copy);
	return 0;
}

static int flags_of(bool ignore_case)
{
	return REG_EXTENDED | (ignore_case ? REG_ICASE : 0);
}

static void free_regex(regex_t *regex)
{
	if (regex)
		regfree(regex);
	free(regex);
}

void jfrec_scrub_rules_free(struct jfrec_scrub_rules *rules)
{
	if (!rules)
		return;
	for (unsigned i = 0; i < rules->count; i++) {
		if (rules->rules[i].regex)
			free_regex(rules->rules[i].regex->compiled);
	}
	rule_words_fini(&rules->words);
	arena_fini(&rules->arena);
	free(rules->salt);
	free(rules);
}

/* Checking ------------------------------------------------------------------------------------- */

static int wrong(struct jfrec_error *err, const char *what)
{
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "%s", what);
}

/* The largest number in braces that these are, {2} or {2,5}; 1 for others. */
static unsigned long repeat_of(const char *brace)
{
	char *end;
	unsigned long low = strtoul(brace + 1, &end, 10), high = low;

	if (*end == ',')
		high = strtoul(end + 1, &end, 10);
	high = high > low ? high : low;
	return *end == '}' && high ? high : 1;
}

/* After a bracket expression: [^]a-z] */
static const char *skip_brackets(const char *p)
{
	p++;
	if (*p == '^')
		p++;
	if (*p == ']')
		p++;
	while (*p && *p != ']')
		p++;
	return p;
}

/* How large groups become once repetitions are unfolded, from the outermost in. */
struct sizes {
	unsigned long all[MAX_GROUPS], last;
	unsigned depth;
};

static void add_size(struct sizes *s, unsigned long size)
{
	s->all[s->depth] += size;
	s->last = size;
}

/* Go on with the character at p. False if groups are nested too deeply. */
static bool measure(struct sizes *s, const char *p)
{
	if (*p == '{') {
		add_size(s, s->last * (repeat_of(p) - 1));
	} else if (*p == '+') { /* a+ is aa* for the compiler */
		add_size(s, s->last);
	} else if (*p == '(') {
		if (s->depth + 1 == MAX_GROUPS)
			return false;
		s->all[++s->depth] = 0;
	} else if (*p == ')' && s->depth) {
		s->depth--;
		add_size(s, s->all[s->depth + 1]);
	} else {
		add_size(s, 1);
	}
	return true;
}

/*
 * What regexec() takes very long for, or regcomp() much memory: groups that are
 * referred to in the pattern itself, and large repetitions.
 */
static int check_pattern(const char *pattern, struct jfrec_error *err)
{
	struct sizes s = { .depth = 0 };
	bool repeated = false;

	if (!*pattern || strlen(pattern) > MAX_PATTERN)
		return wrong(err, "a regular expression must have 1 to 2000 bytes");
	for (const char *p = pattern; *p; p++) {
		if (*p == '\\' && p[1] >= '1' && p[1] <= '9')
			return wrong(err, "\\1 is for the replacement, not for the expression");
		if (repeated && strchr("*+?{", *p))
			return wrong(err, "a repetition must not be repeated");
		repeated = strchr("*+?{", *p) != NULL;
		if (!measure(&s, p))
			return wrong(err, "groups are nested too deeply");
		if (s.last > MAX_SIZE || s.all[s.depth] > MAX_SIZE)
			return wrong(err, "its repetitions make the expression too large");
		if (*p == '\\' && p[1])
			p++;
		else if (*p == '[')
			p = skip_brackets(p);
		else if (*p == '{')
			p += strcspn(p, "}");
		if (!*p)
			break;
	}
	return 0;
}

static int check_template(const char *template, size_t groups, struct jfrec_error *err)
{
	if (strlen(template) > MAX_TEMPLATE)
		return wrong(err, "a replacement may have at most 1000 bytes");
	for (const char *p = template; *p; p++) {
		if (*p != '\\')
			continue;
		p++;
		if (*p >= '0' && *p <= '9' && (size_t)(*p - '0') > groups)
			return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
					  "\\%c, but the expression has %zu groups", *p, groups);
		if (!*p || !strchr("0123456789h\\", *p))
			return wrong(err, "a digit, h or another \\ must follow a \\");
	}
	return 0;
}

int rule_check(const struct rule *r, const char *pattern, bool ignore_case, struct jfrec_error *err)
{
	char why[200];
	regex_t regex;
	int ret;

	if (check_pattern(pattern, err) < 0)
		return -1;
	ret = regcomp(&regex, pattern, flags_of(ignore_case));
	if (ret) {
		regerror(ret, &regex, why, sizeof(why));
		return wrong(err, why);
	}
	ret = check_template(r->replace, regex.re_nsub, err);
	regfree(&regex);
	return ret;
}

/* NULL when memory is gone. */
static const regex_t *compiled(struct rule_regex *r)
{
	regex_t *regex = r->compiled, *before = NULL;

	if (regex)
		return regex;
	regex = malloc(sizeof(*regex));
	if (!regex || regcomp(regex, r->pattern, r->flags) != 0) {
		free(regex);
		return NULL;
	}
	if (atomic_compare_exchange_strong(&r->compiled, &before, regex))
		return regex;
	free_regex(regex);
	return before;
}

static bool copy_text(struct arena *a, const char **text)
{
	if (*text)
		*text = arena_strndup(a, *text, strlen(*text));
	return *text;
}

static bool copy_texts(struct arena *a, struct rule *r)
{
	return copy_text(a, &r->name) && copy_text(a, &r->replace) &&
	       (!r->event || copy_text(a, &r->event)) && (!r->field || copy_text(a, &r->field)) &&
	       (!r->named || copy_text(a, &r->named)) &&
	       (!r->not_named || copy_text(a, &r->not_named)) &&
	       (!r->needs || copy_text(a, &r->needs)) && (!r->words || copy_text(a, &r->words));
}

static bool new_regex(struct arena *a, struct rule *r, const char *pattern, bool ignore_case)
{
	r->regex = arena_zalloc(a, 1, sizeof(*r->regex));
	if (!r->regex || !copy_text(a, &pattern))
		return false;
	r->regex->pattern = pattern;
	r->regex->flags = flags_of(ignore_case);
	return true;
}

int rules_add(struct jfrec_scrub_rules *rules, const struct rule *r, const char *pattern,
	      bool ignore_case, struct jfrec_error *err)
{
	struct rule *to = &rules->rules[rules->count];

	if (rules->count == RULES_MAX)
		return wrong(err, "there are more than 192 rules");
	*to = *r;
	if (!copy_texts(&rules->arena, to) ||
	    (!r->find && !new_regex(&rules->arena, to, pattern, ignore_case)) ||
	    rule_words_add(&rules->words, rules->count, to->words) < 0)
		return jfrec_fail_memory(err);
	rules->count++;
	return 0;
}

/* Names ---------------------------------------------------------------------------------------- */

/* Names are as people write them: DB_PASSWORD, db.password. */
static bool name_matches(const char *list, const char *name, size_t len)
{
	char lower[256];

	if (len > sizeof(lower))
		len = sizeof(lower);
	for (size_t i = 0; i < len; i++)
		lower[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] | 0x20) : name[i];
	return list_matches(list, lower, len);
}

bool rule_is_for(const struct rule *r, const char *name, size_t len)
{
	if (r->secret_names && (!name || !text_is_secret_name(name, len)))
		return false;
	if (r->named && (!name || !name_matches(r->named, name, len)))
		return false;
	return !r->not_named || !name || !name_matches(r->not_named, name, len);
}

/* Applying ------------------------------------------------------------------------------------- */

struct run {
	const struct jfrec_scrub_rules *rules;
	const struct rule *rule;
	struct buffer *to;
	rule_piece_fn *fn;
	void *ctx;
	/* The match at hand: places are offsets from `text`. */
	const char *text;
	regmatch_t groups[GROUPS];
	uint16_t referred; /* groups that the template keeps */
};

static uint16_t groups_of_template(const char *template)
{
	uint16_t groups = 0;

	for (const char *p = template; *p; p++) {
		if (*p != '\\')
			continue;
		p++;
		if (*p >= '0' && *p <= '9')
			groups |= (uint16_t)(1u << (*p - '0'));
	}
	return groups;
}

/* The place where the kept group that begins first, from `at` on, begins; or the match's end. */
static regoff_t next_kept(const struct run *r, regoff_t at, regoff_t *end)
{
	regoff_t first = r->groups[0].rm_eo;

	*end = first;
	for (unsigned i = 0; i < GROUPS; i++) {
		const regmatch_t *g = &r->groups[i];

		if (!(r->referred >> i & 1) || g->rm_so < 0 || g->rm_eo <= at)
			continue;
		if ((g->rm_so < at ? at : g->rm_so) < first) {
			first = g->rm_so < at ? at : g->rm_so;
			*end = g->rm_eo;
		}
	}
	return first;
}

static void tell_piece(const struct run *r, regoff_t from, regoff_t to)
{
	if (r->fn && to > from)
		r->fn(r->ctx, r->rule, r->text + from, (size_t)(to - from));
}

/* How much of the match the template begins with: that is not taken away, either. */
static regoff_t repeated(const struct run *r)
{
	size_t literal = strcspn(r->rule->replace, "\\");
	size_t len = (size_t)(r->groups[0].rm_eo - r->groups[0].rm_so);

	return literal <= len &&
			       memcmp(r->rule->replace, r->text + r->groups[0].rm_so, literal) == 0
		       ? (regoff_t)literal
		       : 0;
}

/* Go through what the template does not keep; returns where the last piece ends. */
static regoff_t take_away(const struct run *r, struct hmac *token)
{
	regoff_t at = r->groups[0].rm_so + repeated(r), end, last = at;

	while (at < r->groups[0].rm_eo) {
		regoff_t kept = next_kept(r, at, &end);

		if (kept > at) {
			sha256_update(&token->inner, r->text + at, (size_t)(kept - at));
			last = kept;
			if (!r->rule->secrets)
				tell_piece(r, at, kept);
		}
		at = end > kept ? end : kept;
	}
	for (unsigned i = 1; i < GROUPS; i++) {
		if (r->rule->secrets >> i & 1)
			tell_piece(r, r->groups[i].rm_so, r->groups[i].rm_eo);
	}
	return last;
}

static void put_token(const struct run *r, struct hmac *token)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t sum[SHA256_SIZE];

	hmac_final(token, sum);
	for (unsigned i = 0; i < TOKEN_DIGITS; i++)
		buffer_u8(r->to, (uint8_t)digits[sum[i / 2] >> (i % 2 ? 0 : 4) & 15]);
}

/*
 * A group at the end of the template that is the end of the match, and kept, is
 * left for the next match: what delimits one secret may delimit the next one.
 */
static bool leaves_tail(const struct run *r, const char *at, regoff_t last)
{
	const regmatch_t *g = &r->groups[at[1] >= '0' && at[1] <= '9' ? at[1] - '0' : 0];

	return at[0] == '\\' && at[1] >= '1' && at[1] <= '9' && !at[2] && g->rm_so == last &&
	       g->rm_eo == r->groups[0].rm_eo && g->rm_so > r->groups[0].rm_so;
}

/* Returns where to go on. */
static regoff_t expand(const struct run *r)
{
	struct hmac token;
	regoff_t last;

	hmac_init(&token, r->rules->salt, r->rules->salt_len);
	last = take_away(r, &token);
	for (const char *p = r->rule->replace; *p; p++) {
		const regmatch_t *g;

		if (leaves_tail(r, p, last))
			return last;
		if (*p != '\\' || *++p == '\\') {
			buffer_u8(r->to, (uint8_t)*p);
		} else if (*p == 'h') {
			struct hmac again = token;

			put_token(r, &again);
		} else {
			g = &r->groups[*p - '0'];
			if (g->rm_so >= 0)
				buffer_put(r->to, r->text + g->rm_so,
					   (size_t)(g->rm_eo - g->rm_so));
		}
	}
	return r->groups[0].rm_eo;
}

static bool is_inside(char c)
{
	return (c & 0xc0) == 0x80;
}

/* Matching is by bytes; what is taken away are whole characters. */
static void widen(struct run *r)
{
	while (r->groups[0].rm_so > 0 && is_inside(r->text[r->groups[0].rm_so]))
		r->groups[0].rm_so--;
	while (is_inside(r->text[r->groups[0].rm_eo]))
		r->groups[0].rm_eo++;
}

/*
 * Where to go on after a match that is none after all; 0 if it is one.  A long word
 * always is: where each place has a word to the end of the text, turning all of them
 * down would take length times length.
 */
static regoff_t implausible(const struct run *r, const char *text)
{
	const struct rule *rule = r->rule;
	const regmatch_t *g = &r->groups[rule->judged];

	if (!rule->plausible || g->rm_so < 0 || g->rm_eo - g->rm_so > LONGEST_WORD ||
	    rule->plausible(text + g->rm_so, (size_t)(g->rm_eo - g->rm_so)))
		return 0;
	/* What is no value may be a key. */
	return g->rm_so > r->groups[0].rm_so ? g->rm_so : r->groups[0].rm_so + 1;
}

/* What has nothing to be found is not copied. */
static bool find_in_parts(struct run *r, const char *text, size_t len)
{
	struct text_span piece;
	size_t at = 0;

	r->text = text;
	while (at < len && r->rule->find(text, len, at, &piece)) {
		buffer_put(r->to, text + at, piece.from - at);
		buffer_put(r->to, r->rule->replace, strlen(r->rule->replace));
		tell_piece(r, (regoff_t)piece.from, (regoff_t)piece.to);
		at = piece.to;
	}
	if (at > 0)
		buffer_put(r->to, text + at, len - at);
	return at > 0;
}

/* Texts of matches have no NUL in them: text[len] is one. */
static bool apply_to_part(struct run *r, const char *text, size_t len)
{
	const char *end = text + len;
	bool found = false;
	const regex_t *regex = compiled(r->rule->regex);
	int flags = 0;

	r->to->failed |= !regex;
	while (regex && text < end) {
		int status = regexec(regex, text, GROUPS, r->groups, flags);
		regoff_t next;

		/* A text that could not be searched is not one without secrets. */
		r->to->failed |= status != 0 && status != REG_NOMATCH;
		if (status != 0)
			break;
		r->text = text;
		if (r->groups[0].rm_eo == r->groups[0].rm_so) {
			/* Nothing is taken away here; look after the next character. */
			next = r->groups[0].rm_eo + 1;
			if (next > end - text)
				break;
			buffer_put(r->to, text, (size_t)next);
		} else if ((next = implausible(r, text)) > 0) {
			buffer_put(r->to, text, (size_t)next);
		} else {
			found = true;
			widen(r);
			buffer_put(r->to, text, (size_t)r->groups[0].rm_so);
			next = expand(r);
		}
		text += next;
		flags = REG_NOTBOL;
	}
	buffer_put(r->to, text, (size_t)(end - text));
	return found;
}

static bool has_any(const char *text, size_t len, const char *characters)
{
	for (; *characters; characters++) {
		if (memchr(text, *characters, len))
			return true;
	}
	return false;
}

/* regexec() ends at a NUL, and recordings may have some in their texts. */
static bool apply_to_parts(struct run *r, char *text, size_t len)
{
	bool found = false;

	while (true) {
		size_t part = strnlen(text, len);

		if (part)
			found |= apply_to_part(r, text, part);
		if (part == len)
			return found;
		buffer_u8(r->to, 0);
		text += part + 1;
		len -= part + 1;
	}
}

bool rule_apply(const struct jfrec_scrub_rules *rules, const struct rule *rule, const char *text,
		size_t len, struct buffer *to, rule_piece_fn *fn, void *ctx)
{
	struct run r = {
		.rules = rules,
		.rule = rule,
		.to = to,
		.fn = fn,
		.ctx = ctx,
		.referred = groups_of_template(rule->replace),
	};
	size_t before = to->len;
	char *copy;
	bool found;

	if (len == 0 || (rule->needs && !has_any(text, len, rule->needs)))
		return false;
	if (rule->find) {
		found = find_in_parts(&r, text, len);
		to->len = found ? to->len : before;
		return found && !to->failed;
	}
	copy = malloc(len + 1);
	if (!copy) {
		to->failed = true;
		return false;
	}
	memcpy(copy, text, len);
	copy[len] = '\0';
	found = apply_to_parts(&r, copy, len);
	free(copy);
	if (!found)
		to->len = before;
	return found && !to->failed;
}
