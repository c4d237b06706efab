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
#include <unistd.h>

#include "base/report.h"
#include "jdk/called_as.h"
#include "jfrec-tool.h"
#include "recording/open_recordings.h"

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
	bool totals, is_difference, is_help, is_leak;
	double minimum; /* percent */
	double tail;	/* share of the time */
	bool has_spans; /* latency or tag is given */
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
	int which; /* of kinds: the lowest is taken where several are given */
};

enum flag {
	THREADS,
	TOTAL,
	LINES,
	BCI,
	SIMPLE,
	NORM,
	DOT,
	REVERSE,
	INVERTED,
	DIFF,
	CLASSIFY,
	LEAK,
	HELP,
};

enum value {
	OUTPUT,
	INCLUDE,
	EXCLUDE,
	MINWIDTH,
	GRAIN,
	TAIL,
	SKIP,
	STATE,
	TITLE,
	FROM,
	TO,
	LATENCY,
	TAG,
};

static const struct word words[] = {
	{ "nativemem", 0, TO_KIND, 1 },
	{ "nativelock", 0, TO_KIND, 2 },
	{ "live", 0, TO_KIND, 3 },
	{ "alloc", 0, TO_KIND, 4 },
	{ "lock", 0, TO_KIND, 5 },
	{ "trace", 0, TO_KIND, 6 },
	{ "cpu", 0, TO_KIND, 8 },
	{ "wall", 0, TO_KIND, 9 },
	{ "cpu-time", 0, TO_KIND, 10 },
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
	{ "leak", 0, TO_FLAG, LEAK },
	{ "tail", 0, TO_WORD, TAIL },
	{ "latency", 0, TO_WORD, LATENCY },
	{ "tag", 0, TO_WORD, TAG },
	{ "grain", 0, TO_WORD, GRAIN },
	{ "highlight", 0, TO_IGNORE, 0 },
};

static void print_help(void)
{
	puts("Usage: jfrconv [OPTION...] INPUT [INPUT...] [OUTPUT]\n"
	     "jfrec, called by the name of async-profiler's converter.\n\n"
	     "  -o, --output FORMAT   collapsed, html (also flamegraph, heatmap),\n"
	     "                        pb (also pprof), otlp\n"
	     "  -I, --include REGEX   only stacks with a frame whose whole name matches\n"
	     "  -X, --exclude REGEX   only stacks without such a frame\n\n"
	     "      --cpu             samples of CPU time (async-profiler's)\n"
	     "      --cpu-time        jdk.CPUTimeSample\n"
	     "      --wall            samples of wall-clock time\n"
	     "      --alloc           allocations\n"
	     "      --live            live objects\n"
	     "      --nativemem       malloc\n"
	     "      --leak            with --nativemem: only what was not freed\n"
	     "      --tail RATIO      with --leak: leave out what was allocated in the last part\n"
	     "                        of the time (default: 10%)\n"
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
	     "      --to TIME         up to this time\n"
	     "      --latency MS      only samples within traced methods and spans of their thread\n"
	     "                        that took this long: milliseconds, or 5s, 300us\n"
	     "      --tag TEXT        only samples within spans of their thread with this tag\n"
	     "      --diff            compare two inputs, the earlier one first\n\n"
	     "      --minwidth X      leave out frames of less than X %\n"
	     "      --grain X         divide samples by X, and leave out stacks without any then\n"
	     "      --skip N          leave out N frames at the root\n"
	     "  -r, --reverse         turn stacks over\n"
	     "      --title TEXT      title of a page\n\n"
	     "A heatmap is the page with its strip of time. The page itself has what\n"
	     "--inverted and --highlight are for.");
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
		[LEAK] = &c->is_leak,
	};

	/* These two are reported in the other order. */
	*flags[flag] = flag != NORM && flag != DOT;
}

static int set_states(struct conversion *c, const char *value)
{
	size_t len = strlen(value);

	if (len >= sizeof(c->states))
		return fail("the list of states is too long: ", value);
	for (size_t i = 0; i <= len; i++)
		c->states[i] =
			value[i] >= 'a' && value[i] <= 'z' ? (char)(value[i] - 32) : value[i];
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

/* "300", in milliseconds, or "5s", "300us". */
static int set_latency(struct conversion *c, const char *value)
{
	static const struct {
		const char *unit;
		int64_t ns;
	} units[] = { { "", 1000000 }, { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 },
		      { "ns", 1 } };
	char *end;
	long long number = strtoll(value, &end, 10);

	for (size_t i = 0; end > value && i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(end, units[i].unit) != 0)
			continue;
		c->has_spans = true;
		if (__builtin_mul_overflow(number, units[i].ns, &c->stacks.within_ns))
			c->stacks.within_ns = INT64_MAX;
		return EXIT_DONE;
	}
	return fail("invalid duration, use for example 300ms: ", value);
}

/* A number, or a percentage. *end is where it ends. */
static double ratio(const char *value, char **end)
{
	double number = strtod(value, end);

	if (*end == value || **end != '%')
		return number;
	++*end;
	return number / 100;
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
	case LATENCY:
		return set_latency(c, value);
	case TAG:
		c->stacks.within_tag = value;
		c->has_spans = true;
		return EXIT_DONE;
	case MINWIDTH:
		c->minimum = ratio(value, &end);
		break;
	case GRAIN:
		c->stacks.grain = ratio(value, &end);
		break;
	case TAIL:
		c->tail = ratio(value, &end);
		if (!(c->tail >= 0 && c->tail <= 1))
			return fail("--tail is a share, from 0 to 1: ", value);
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
			return fail("unknown option ", argv[i]);
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

static bool is_known(const char *format)
{
	for (size_t i = 0; i < jfrec_stacks_formats_count(); i++) {
		if (strcmp(jfrec_stacks_formats_get(i)->name, format) == 0)
			return true;
	}
	return false;
}

static int fail_format(const char *output)
{
	fputs("jfrconv: unknown format '", stderr);
	put_name(stderr, output);
	fputs("'; `jfrconv --help` lists those that there are\n", stderr);
	return EXIT_USAGE;
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
	int64_t limit = INT64_MAX / 1000000, ms = b->ms > limit	   ? limit
						  : b->ms < -limit ? -limit
								   : b->ms;

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

/* With --latency or --tag: when threads were in spans, which takes a pass of its own. */
static int read_spans(const struct conversion *c, struct jfrec_stacks *s, char *input)
{
	struct jfrec_error err = { 0 };
	struct jfrec_reader *r;
	int status = EXIT_FAILED, found;

	if (!c->has_spans)
		return EXIT_DONE;
	r = open_recordings(&input, 1);
	if (!r)
		return EXIT_FAILED;
	found = jfrec_stacks_read_spans(s, r, &err);
	if (found < 0)
		status = report_failure(r, &err);
	else if (found == 0)
		say(input, "it has no spans (profiler.Span, jdk.MethodTrace) for --latency, --tag");
	else
		status = EXIT_DONE;
	jfrec_reader_close(r);
	return status;
}

/* Read a recording as that side of *s, which is made if there is none yet. */
static int read_side(const struct conversion *c, struct jfrec_stacks **s, unsigned side,
		     char *input, int64_t bounds[2])
{
	struct jfrec_error err = { 0 };
	struct jfrec_reader *r = open_recordings(&input, 1);
	int status = EXIT_FAILED;

	if (r && !*s)
		*s = make_stacks(c, r, bounds);
	if (r && *s)
		status = read_spans(c, *s, input);
	if (status == EXIT_DONE && jfrec_stacks_read(*s, side, r, &err) < 0)
		status = report_failure(r, &err);
	jfrec_reader_close(r);
	return status;
}

static int convert(const struct conversion *c, char *input, const char *path)
{
	struct jfrec_stacks *s = NULL;
	int64_t bounds[2]; /* looked at until the profiles are freed */
	int status = read_side(c, &s, 0, input, bounds);

	if (status == EXIT_DONE)
		status = set_title(c, s, input);
	if (status == EXIT_DONE)
		status = write_file(s, c, path);
	jfrec_stacks_free(s);
	return status;
}

/* Read the second recording as side 0, the first one as side 1, and write the difference. */
static int compare(const struct conversion *c, char **inputs, const char *path)
{
	struct jfrec_stacks *s = NULL;
	struct jfrec_error err = { 0 };
	int64_t bounds[2];
	int status = read_side(c, &s, 0, inputs[1], bounds);

	if (status == EXIT_DONE)
		status = read_side(c, &s, 1, inputs[0], bounds);
	if (status == EXIT_DONE)
		status = set_title(c, s, inputs[1]);
	if (status == EXIT_DONE)
		status = jfrec_stacks_difference(s, &err) < 0 ? fail("", failure_text(&err))
							     : write_file(s, c, path);
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
	return asprintf(&path, "%s/%.*s%s.%s", last, len, name, c->is_difference ? ".diff" : "",
			is_page(c) ? "html" : c->output) < 0
		       ? NULL
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

	if (c->is_difference && (count != 2 || access(files[1], F_OK) != 0))
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
		if (c->is_difference) {
			fputs(" vs ", stdout);
			print_name(file_name(files[0]));
		}
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

/* The kind as the library names it. */
static void choose_kind(struct conversion *c)
{
	if (c->stacks.states)
		c->kind = "state";
	else if (c->kind && c->is_leak && strcmp(c->kind, "nativemem") == 0)
		c->kind = "leak";
	/* Scripts that read collapsed lines expect ticks; pages show time. */
	else if (c->kind && strcmp(c->kind, "trace") == 0 && strcmp(c->output, "collapsed") == 0)
		c->kind = "trace-ticks";
}

int as_jfrconv(int argc, char **argv)
{
	static char here[] = ".";
	struct conversion c = {
		.stacks = { .struct_size = sizeof(c.stacks), .is_jfrconv = true,
			    .with_slashes = true, .keeps_numbers = true },
		.tail = 0.1,
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
	if (count == (c.is_difference ? 2 : 1))
		files[count++] = here;
	last = files[--count];
	dot = strrchr(file_name(last), '.');
	if (!c.output)
		c.output = dot && !is_directory(last) ? dot + 1 : "html";
	if (!is_known(format_of(c.output))) {
		free(files);
		return fail_format(c.output);
	}
	if (strcmp(c.output, "otlp") == 0)
		c.stacks.with_threads = true; /* an attribute of samples, as the original has it */
	c.stacks.counts = !c.totals;
	if (is_page(&c)) {
		c.stacks.with_slashes = false;
		/* With a grain the times of samples would not add up to the graph. */
		c.stacks.packs_times = !c.is_difference && c.stacks.grain <= 0;
	}
	if (c.is_difference)
		c.stacks.keeps_numbers = false;
	choose_kind(&c);
	c.stacks.leak_tail = &c.tail;
	confine_writes(last);
	confine_to(CONFINE_WRITING, files, count);
	status = convert_all(&c, files, count, last);
	free(files);
	return status == EXIT_DONE ? finish_stdout() : status;
}
