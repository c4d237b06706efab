/* SPDX-License-Identifier: MIT */
/*
 * as_jfrconv.c - act as async-profiler's jfrconv 4.5, when called by that name
 *
 * Options, their short names and the lines of `-o collapsed` are jfrconv's, so scripts move over.
 * Like it, and unlike the rest of jfrec, it replaces a file that exists.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "common/report.h"
#include "jdk/called_as.h"

/* What the command line asks for. */
struct conversion {
	struct jfrec_stack_options stacks;
	const char *output; /* the format */
	const char *kind;   /* jfrec_stacks_add() */
	unsigned kind_rank; /* of kinds given together one counts, as in jfrconv */
	const char *title;
	struct bound {
		bool is_given, is_date;
		int64_t ms; /* as find_bound() reads it */
	} from, to;
	bool totals, is_difference, is_help;
	double minimum; /* percent */
	char states[128];
};

enum to {
	TO_KIND,   /* a profile */
	TO_FLAG,   /* one of the flags below */
	TO_WORD,   /* an option with a value */
	TO_IGNORE, /* an option of looks, with a value */
};

struct word {
	const char *name;
	char letter;
	enum to to;
	int which; /* of kinds: the lower is taken where several are given */
};

enum flag { THREADS, TOTAL, LINES, BCI, SIMPLE, NORM, DOT, REVERSE, INVERTED, DIFF, CLASSIFY, HELP };
enum value { OUTPUT, INCLUDE, EXCLUDE, MINWIDTH, SKIP, STATE, TITLE, FROM, TO };

static const struct word words[] = {
	{ "nativemem", 0, TO_KIND, 1 },
	{ "nativelock", 0, TO_KIND, 2 },
	{ "live", 0, TO_KIND, 3 },
	{ "alloc", 0, TO_KIND, 4 },
	{ "lock", 0, TO_KIND, 5 },
	{ "trace", 0, TO_KIND, 6 },
	{ "cpu-time", 0, TO_KIND, 8 },
	{ "cpu", 0, TO_KIND, 9 },
	{ "wall", 0, TO_KIND, 10 },
	{ "threads", 't', TO_FLAG, THREADS },
	{ "total", 0, TO_FLAG, TOTAL },
	{ "lines", 0, TO_FLAG, LINES },
	{ "bci", 0, TO_FLAG, BCI },
	{ "simple", 0, TO_FLAG, SIMPLE },
	{ "norm", 0, TO_FLAG, NORM },
	{ "dot", 0, TO_FLAG, DOT },
	{ "reverse", 'r', TO_FLAG, REVERSE },
	{ "inverted", 'i', TO_FLAG, INVERTED },
	{ "help", 'h', TO_FLAG, HELP },
	{ "output", 'o', TO_WORD, OUTPUT },
	{ "include", 'I', TO_WORD, INCLUDE },
	{ "exclude", 'X', TO_WORD, EXCLUDE },
	{ "minwidth", 0, TO_WORD, MINWIDTH },
	{ "skip", 0, TO_WORD, SKIP },
	{ "state", 's', TO_WORD, STATE },
	{ "title", 0, TO_WORD, TITLE },
	{ "from", 0, TO_WORD, FROM },
	{ "to", 0, TO_WORD, TO },
	{ "diff", 0, TO_FLAG, DIFF },
	{ "classify", 0, TO_FLAG, CLASSIFY },
	{ "highlight", 0, TO_IGNORE, 0 },
	{ "grain", 0, TO_IGNORE, 0 },
};

/* What jfrec does in another way. */
static const struct {
	const char *name, *instead;
} refused[] = {
	{ "latency", "jfrec flame --profile trace --where 'duration > 100ms'" },
	{ "leak", "jfrec flame --profile native-memory, which has all calls of malloc" },
	{ "tail", "jfrec flame --profile native-memory, which has all calls of malloc" },
	{ "tag", "jfrec flame --type profiler.Span --where EXPR" },
};

static void print_help(void)
{
	puts("Usage: jfrconv [OPTION...] INPUT [INPUT...] [OUTPUT]\n"
	     "jfrec, called by the name of async-profiler's converter.\n\n"
	     "  -o, --output FORMAT   collapsed, html (also flamegraph, heatmap), pb (also pprof)\n"
	     "  -I, --include REGEX   only stacks with a frame whose whole name matches\n"
	     "  -X, --exclude REGEX   only stacks without such a frame\n\n"
	     "      --cpu             samples of CPU time (async-profiler's)\n"
	     "      --cpu-time        jdk.CPUTimeSample\n"
	     "      --wall            samples of wall-clock time\n"
	     "      --alloc           allocations\n"
	     "      --live            live objects\n"
	     "      --nativemem       malloc\n"
	     "      --lock            contended locks\n"
	     "      --nativelock      contended locks of native code\n"
	     "      --trace           traced methods\n"
	     "  -t, --threads         split stacks by thread\n"
	     "  -s, --state LIST      samples in these states of a thread: runnable, sleeping\n"
	     "      --classify        put what the thread was doing first: [gc], [jit], [c2_comp]\n"
	     "      --total           add up time or bytes, not samples\n"
	     "      --lines           show line numbers\n"
	     "      --bci             show bytecode indices\n"
	     "      --simple          class names without packages\n"
	     "      --norm            remove numbers of lambdas, hidden classes\n"
	     "      --dot             class names with dots\n"
	     "      --from TIME       from this time on: ms since 1970, since the start, or (below 0)\n"
	     "                        before the end, or an ISO 8601 time\n"
	     "      --to TIME         before this time\n"
	     "      --diff            compare two inputs, the earlier one first\n\n"
	     "      --minwidth X      leave out frames of less than X %\n"
	     "      --skip N          leave out N frames at the root\n"
	     "  -r, --reverse         turn stacks over\n"
	     "      --title TEXT      title of a page\n\n"
	     "A heatmap is the page with its strip of time. The page itself has what\n"
	     "--inverted, --highlight and --grain are for.");
}

static int fail(const char *what, const char *word)
{
	fprintf(stderr, "jfrconv: %s", what);
	put_name(stderr, word);
	fputc('\n', stderr);
	return EXIT_USAGE;
}

static const struct word *find_word(const char *arg)
{
	bool is_long = strncmp(arg, "--", 2) == 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (is_long ? strcmp(arg + 2, words[i].name) == 0
			    : words[i].letter && arg[1] == words[i].letter && !arg[2])
			return &words[i];
	}
	return NULL;
}

static void set_flag(struct conversion *c, enum flag flag)
{
	struct jfrec_stack_options *o = &c->stacks;
	bool ignored;
	bool *const flags[] = {
		[THREADS] = &o->with_threads, [TOTAL] = &c->totals,	[LINES] = &o->with_lines,
		[BCI] = &o->with_bci,	      [SIMPLE] = &o->is_simple, [NORM] = &o->keeps_numbers,
		[DOT] = &o->with_slashes,     [REVERSE] = &o->is_reversed,
		[INVERTED] = &ignored,	      [DIFF] = &c->is_difference,
		[HELP] = &c->is_help,	      [CLASSIFY] = &o->with_category,
	};

	/* These two are said the other way round. */
	*flags[flag] = flag != NORM && flag != DOT;
}

static int set_states(struct conversion *c, const char *value)
{
	size_t len = strlen(value);

	if (len >= sizeof(c->states))
		return fail("the list of states is too long: ", value);
	for (size_t i = 0; i <= len; i++)
		c->states[i] = value[i] >= 'a' && value[i] <= 'z' ? (char)(value[i] - 32) : value[i];
	c->stacks.states = c->states;
	return EXIT_DONE;
}

/* Milliseconds, or a time as ISO 8601 has it. */
static int set_bound(struct bound *b, const char *value)
{
	struct jfrec_time time;
	char *end;

	b->is_given = true;
	b->is_date = false;
	b->ms = strtoll(value, &end, 10);
	if (end > value && !*end)
		return EXIT_DONE;
	if (!jfrec_time_parse(value, &time))
		return fail("not a time: ", value);
	b->is_date = true;
	b->ms = jfrec_time_resolve(&time, 0, 0) / 1000000;
	return EXIT_DONE;
}

static int set_value(struct conversion *c, enum value which, const char *value)
{
	char *end = NULL;

	switch (which) {
	case OUTPUT:
		c->output = value;
		return EXIT_DONE;
	case INCLUDE:
		c->stacks.include = value;
		return EXIT_DONE;
	case EXCLUDE:
		c->stacks.exclude = value;
		return EXIT_DONE;
	case STATE:
		return set_states(c, value);
	case TITLE:
		c->title = value;
		return EXIT_DONE;
	case FROM:
		return set_bound(&c->from, value);
	case TO:
		return set_bound(&c->to, value);
	case MINWIDTH:
		c->minimum = strtod(value, &end) / (end && *end == '%' ? 100 : 1);
		end += *end == '%';
		break;
	case SKIP:
		c->stacks.skip = (unsigned)strtoul(value, &end, 10);
		break;
	}
	return *value && !*end ? EXIT_DONE : fail("not a number: ", value);
}

static void set_kind(struct conversion *c, const struct word *w)
{
	if (c->kind && c->kind_rank < (unsigned)w->which)
		return;
	c->kind = w->name;
	c->kind_rank = (unsigned)w->which;
}

static int refuse(const char *arg)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		if (strncmp(arg, "--", 2) == 0 && strcmp(arg + 2, refused[i].name) == 0) {
			fprintf(stderr, "jfrconv: %s is not supported; use %s\n", arg, refused[i].instead);
			return EXIT_USAGE;
		}
	}
	return fail("unknown option ", arg);
}

/* Take the options; what is left are files, *count of them. Returns an exit code. */
static int take_words(struct conversion *c, int argc, char **argv, char **files, int *count)
{
	for (int i = 1; i < argc; i++) {
		const struct word *w;
		int status = EXIT_DONE;

		if (argv[i][0] != '-' || !argv[i][1]) {
			files[(*count)++] = argv[i];
			continue;
		}
		w = find_word(argv[i]);
		if (!w)
			return refuse(argv[i]);
		if (w->to == TO_KIND)
			set_kind(c, w);
		else if (w->to == TO_FLAG)
			set_flag(c, (enum flag)w->which);
		else if (i + 1 == argc)
			return fail("no value for ", argv[i]);
		else if (w->to == TO_WORD)
			status = set_value(c, (enum value)w->which, argv[++i]);
		else
			i++;
		if (status != EXIT_DONE)
			return status;
	}
	return EXIT_DONE;
}

/* Converting ----------------------------------------------------------------------------------- */

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The format by the name that jfrconv has for it. */
static const char *format_of(const char *output)
{
	size_t len = strlen(output);

	if (strcmp(output, "pb") == 0 || (len >= 2 && strcmp(output + len - 2, "gz") == 0))
		return "pprof";
	if (strcmp(output, "flamegraph") == 0 || strcmp(output, "heatmap") == 0)
		return "html";
	return output;
}

static bool is_page(const struct conversion *c)
{
	return strcmp(format_of(c->output), "html") == 0;
}

/*
 * A bound, in ns since 1970. The number given counts from the recording's end if it is negative,
 * and from its start if, as ms since 1970, it would be before 2017.
 */
static int64_t find_bound(const struct bound *b, int64_t start_ns, int64_t end_ns)
{
	int64_t limit = INT64_MAX / 1000000, ms = b->ms > limit ? limit : b->ms < -limit ? -limit : b->ms;

	if (b->is_date)
		return ms * 1000000;
	if (ms < 0)
		return end_ns + ms * 1000000;
	return ms < 1500000000000 ? start_ns + ms * 1000000 : ms * 1000000;
}

static int write_file(struct jfrec_stacks *s, const struct conversion *c, const char *path)
{
	struct jfrec_error err = { 0 };
	struct jfrec_output *o = jfrec_output_open(path, true, JFREC_PLAIN, &err);
	int status = EXIT_FAILED;

	if (o && jfrec_stacks_write(s, 0, format_of(c->output), c->minimum / 100,
				    jfrec_output_write, o, &err) == 0 &&
	    jfrec_output_commit(o, &err) == 0)
		status = EXIT_DONE;
	else
		say(path, failure_text(&err));
	jfrec_output_close(o);
	return status;
}

/* Profiles of the time that is asked for; NULL after saying what is wrong. */
static struct jfrec_stacks *make_stacks(const struct conversion *c, struct jfrec_reader *r,
					int64_t bounds[2])
{
	struct jfrec_stack_options options = c->stacks;
	struct jfrec_error err = { 0 };
	int64_t start_ns = 0, end_ns = 0;
	struct jfrec_stacks *s;

	if ((c->from.is_given || c->to.is_given) &&
	    jfrec_reader_span(r, &start_ns, &end_ns, &err) < 0) {
		report_failure(r, &err);
		return NULL;
	}
	bounds[0] = find_bound(&c->from, start_ns, end_ns);
	bounds[1] = find_bound(&c->to, start_ns, end_ns);
	options.from_ns = c->from.is_given ? &bounds[0] : NULL;
	options.to_ns = c->to.is_given ? &bounds[1] : NULL;
	s = jfrec_stacks_new(&options, &err);
	if (s && jfrec_stacks_add(s, c->kind ? c->kind : "", &err) == 0)
		return s;
	fail("", failure_text(&err));
	jfrec_stacks_free(s);
	return NULL;
}

static int set_title(const struct conversion *c, struct jfrec_stacks *s, const char *input)
{
	struct jfrec_error err = { 0 };

	if (jfrec_stacks_set_title(s, c->title ? c->title : file_name(input), NULL, &err) == 0)
		return EXIT_DONE;
	return fail("", failure_text(&err));
}

static int convert(const struct conversion *c, char *input, const char *path)
{
	struct jfrec_error err = { 0 };
	struct jfrec_reader *r = open_recordings(&input, 1);
	int64_t bounds[2]; /* looked at until the profiles are freed */
	struct jfrec_stacks *s = r ? make_stacks(c, r, bounds) : NULL;
	int status = EXIT_FAILED;

	if (!s || set_title(c, s, input) != EXIT_DONE)
		;
	else if (jfrec_stacks_read(s, 0, r, &err) < 0)
		status = report_failure(r, &err);
	else
		status = write_file(s, c, path);
	jfrec_stacks_free(s);
	jfrec_reader_close(r);
	return status;
}

/* Read the second recording as side 0, the first one as side 1, and write the difference. */
static int compare(const struct conversion *c, char **inputs, const char *path)
{
	struct jfrec_stacks *s = NULL;
	int64_t bounds[2];
	int status = EXIT_DONE;

	for (unsigned side = 0; side < 2 && status == EXIT_DONE; side++) {
		struct jfrec_reader *r = open_recordings(&inputs[!side], 1);
		struct jfrec_error err = { 0 };

		if (!s && r)
			s = make_stacks(c, r, bounds);
		status = s && r ? EXIT_DONE : EXIT_FAILED;
		if (status == EXIT_DONE && jfrec_stacks_read(s, side, r, &err) < 0)
			status = report_failure(r, &err);
		jfrec_reader_close(r);
	}
	if (status == EXIT_DONE)
		status = set_title(c, s, inputs[1]);
	if (status == EXIT_DONE) {
		struct jfrec_error err = { 0 };

		status = jfrec_stacks_difference(s, &err) < 0 ? fail("", failure_text(&err))
							     : write_file(s, c, path);
	}
	jfrec_stacks_free(s);
	return status;
}

/* The output's path: of a directory the input's name with another suffix. To be freed. */
static char *output_path(const struct conversion *c, const char *last, const char *input)
{
	const char *name = file_name(input), *dot = strrchr(name, '.');
	int len = dot ? (int)(dot - name) : (int)strlen(name);
	char *path;

	if (!is_directory(last))
		return strdup(last);
	return asprintf(&path, "%s/%.*s.%s", last, len, name, is_page(c) ? "html" : c->output) < 0 ? NULL
											       : path;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int convert_all(const struct conversion *c, char **files, int count, const char *last)
{
	int status = EXIT_DONE;

	if (c->is_difference && count != 2)
		return fail("--diff compares two recordings: jfrconv --diff BEFORE AFTER OUTPUT", "");
	for (int i = c->is_difference; i < count && status == EXIT_DONE; i++) {
		char *path = output_path(c, last, files[i]);
		double begun = seconds();

		if (!path) {
			say_out_of_memory();
			return EXIT_FAILED;
		}
		fputs("Converting ", stdout);
		print_name(file_name(files[i]));
		fputs(" -> ", stdout);
		print_name(file_name(path));
		putchar(' ');
		fflush(stdout);
		status = c->is_difference ? compare(c, files, path) : convert(c, files[i], path);
		printf("# %.3f s\n", seconds() - begun);
		free(path);
	}
	return status;
}

int as_jfrconv(int argc, char **argv)
{
	static char here[] = ".";
	struct conversion c = {
		.stacks = { .struct_size = sizeof(c.stacks), .is_jfrconv = true,
			    .with_slashes = true, .keeps_numbers = true },
	};
	char **files = calloc((size_t)argc + 2, sizeof(*files));
	const char *last, *dot;
	int count = 0, status;

	if (!files) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	status = take_words(&c, argc, argv, files, &count);
	if (status != EXIT_DONE || c.is_help || count == 0) {
		if (status == EXIT_DONE)
			print_help();
		free(files);
		return status;
	}
	if (count == 1)
		files[count++] = here;
	last = files[--count];
	dot = strrchr(file_name(last), '.');
	if (!c.output)
		c.output = dot && !is_directory(last) ? dot + 1 : "html";
	if (strcmp(c.output, "otlp") == 0) {
		free(files);
		return fail("otlp is not supported; collectors of profiles also take -o ", "pprof");
	}
	c.stacks.counts = !c.totals;
	if (is_page(&c)) {
		c.stacks.with_slashes = false;
		c.stacks.packs_times = !c.is_difference;
	}
	if (c.is_difference)
		c.stacks.keeps_numbers = false;
	if (c.stacks.states)
		c.kind = "state";
	status = convert_all(&c, files, count, last);
	free(files);
	return status == EXIT_DONE ? finish_stdout() : status;
}
