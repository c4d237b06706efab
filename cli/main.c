/* SPDX-License-Identifier: MIT */
/*
 * main.c - jfrec: dispatch, help, and the map of the sources
 *
 * The tool (knows of the library nothing but jfrec.h):
 *   cli/main.c             commands, dispatch, general help
 *   cli/cmd_*.c            one command each
 *   cli/settings_*.c       one sub-command of `settings` each
 *   cli/sub.c              sub-commands: help, dispatch
 *   cli/config.c           defaults from files
 *   cli/confine.c          what is given up before a recording is read
 *   cli/choice.c           which events: --events, --where, --from
 *   cli/opt.c              option tables: parsing and help
 *   cli/budget.c           --max-memory: how much may be used
 *   cli/sanitized.h        is this a build with sanitizers?
 *   cli/as_jcmd.c as_jfr.c called by the names of the JDK's tools
 *   cli/jdk_names.c        what both of these share
 *   cli/jfr_usage.c jfr_words.c  how commands of jfr are typed; wrong ones
 *   cli/settings_source.c jdk_home.c  settings by name; of which JDKs
 *   cli/settings_events.c  settings as JSON
 *   cli/jfr_*.c            commands that only the JDK's jfr has
 *   cli/wizard.c           `jfr configure` by questions
 *   cli/typo.c             "did you mean"
 *   cli/hints.c            what is typed from memory of other tools
 *   cli/timearg.c          time zones on the command line
 *   cli/progress.c         how far it is; Ctrl-C
 *   cli/kept.c             tables of what was kept and removed
 *   cli/writing.c          options and failures of what is written
 *   cli/parts.c            the files that a recording is split into
 *   cli/target.c           which JVMs a command is for
 *   cli/talk.c             options of commands that talk to a JVM
 *   cli/each.c             a command for each JVM that is meant
 *   cli/abreast.c          many JVMs asked at once, printed in order
 *   cli/jfrargs.c          options for Flight Recorder
 *   cli/meant.c            settings that mean nothing
 *   cli/carry.c            settings of ours, made ready for one JVM
 *   cli/recordings.c       which recording is meant
 *   cli/dictionary.c       asking what JDKs can record
 *   cli/explain_*.c        what an event or a profile is
 *   cli/answer.c           what a JVM says, in lines
 *   cli/bring.c            a recording, from a JVM to a file here
 *   cli/from_repository.c  the same without a word to the JVM
 *   cli/outfile.c outname.c   that file; its name
 *   cli/many_files.c       all chunks of a repository at once
 *   cli/notify.c           telling systemd how it goes
 *   cli/interrupt.c        waiting that ends well on Ctrl-C
 *   cli/lines.c            commands, one on a line
 *   cli/watch.c            all that is streamed at once
 *   cli/source.c feed.c    one JVM or directory of it; one stream of that, and what takes it
 *   cli/trigger.c          a command for an event
 *   cli/http.c request.c   metrics for who asks
 *   cli/sink.c             output whose reader may be slow
 *   cli/lease.c            a recording that lasts as long as we do
 *   cli/harmless.c         text that a terminal shows and does not obey
 *   cli/report.c           stdout, stderr, exit codes, JSON documents
 *
 * The library, from the bytes up:
 *   lib/jfrec.h            the whole public interface
 *   lib/base/cursor.h      the only code that moves through input
 *   lib/base/arena.c       many objects of one lifetime
 *   lib/base/out.c         the output buffer
 *   lib/base/sort.c        a stable sort of (key, place)
 *   lib/base/buffer.c      bytes put together in memory
 *   lib/base/base64.c      bytes as letters, and back
 *   lib/base/idmap.c       64-bit ids to small numbers
 *   lib/base/digest.c      128 bits that stand for some
 *   lib/base/sha256.c      tokens that stand for texts
 *   lib/base/glob.c        `*` and `?`
 *   lib/base/near.c        the names most like one
 *   lib/base/number.c      numbers as Java prints them
 *   lib/base/descriptor.c  Java's names of types in class files
 *   lib/base/timeparse.c   reading times and durations
 *   lib/base/timetext.c    times and durations as Java prints them
 *   lib/base/tmpfile.c     a file without a name
 *   lib/base/holes.c       files that claim more bytes than anybody wrote
 *   lib/base/utf8.c        is it UTF-8?
 *   lib/base/deadline.h    until when
 *   lib/base/kernel.h      calls that not every libc has
 *   lib/base/error.c       filling struct jfrec_error
 *   lib/input/input.c      files, pipes, standard input
 *   lib/input/kept.c       what was read of a stream and is still needed
 *   lib/input/stream.c     bytes from front to back
 *   lib/input/gzip.c zstd.c lz4.c xz.c   decompression
 *   lib/output/outname.c   names such as shop-%p-%t.jfr
 *   lib/output/output.c    a file that appears whole or not at all
 *   lib/output/temp.c      a file until it gets its name
 *   lib/output/compress_*.c   compression
 *   lib/settings/config.c  defaults of the tool
 *   lib/settings/yaml.c yaml_out.c  small YAML documents, read strictly; written
 *   lib/format/recording.c where chunks begin and end
 *   lib/format/chunk_header.c  the 68 bytes in front of a chunk
 *   lib/format/chunk.c     one chunk in memory
 *   lib/format/growing.c   the bytes of one that grows
 *   lib/format/constants.c finding its checkpoints
 *   lib/format/missing.c   those that it refers to and lost
 *   lib/format/chunk_writer.c  one chunk, written
 *   lib/format/walk.h      from event to event
 *   lib/format/fit.h       has an event the bytes of its fields?
 *   lib/format/judge.c     which bytes of a damaged chunk are events
 *   lib/format/metadata.c  types, fields, annotations
 *   lib/format/plan.c      decode plans
 *   lib/format/pool.c      constants
 *   lib/format/string.c    the encodings of strings
 *   lib/format/rescue.c    types for a chunk that lost its own
 *   lib/format/clock.c     ticks to nanoseconds
 *   lib/format/select.c    --events and --categories
 *   lib/format/when.c      when an event began and ended
 *   lib/format/where.c     --where: which events pass
 *   lib/format/where_parse.c where_literal.c   the text of an expression
 *   lib/format/where_compile.c  a program for each event type
 *   lib/format/where_run.c  running it on slots
 *   lib/format/slot.h      what the numbers in slots mean
 *   lib/format/problem.c   telling what is damaged
 *   lib/format/reader.c    the public iterator
 *   lib/format/types.c     the public view of types
 *   lib/format/value.c     the public view of values
 *   lib/format/summary.c   counting events
 *   lib/format/writer.c    the public writer of events
 *   lib/format/writer_types.c metadata_writer.c  the types it declares
 *   lib/format/new_pool.c  its constants
 *   lib/edit/rewrite.c     a chunk with some of its events
 *   lib/edit/mark.c        the constants that these need
 *   lib/edit/copy.c        a chunk as it is
 *   lib/edit/filter.c      some of the events
 *   lib/edit/keep.h        which events stay
 *   lib/edit/scrub.c       no secrets
 *   lib/edit/rules.c rules_builtin.c rules_file.c   what is one, and what takes its place
 *   lib/edit/rules_words.c   which texts a rule can have something for
 *   lib/edit/encoded.c     secrets as they are in other texts
 *   lib/edit/secret_words.c  what looks like a secret
 *   lib/edit/reach.c       which rules look at which strings
 *   lib/edit/redact.c redact_array.c redact_metadata.c redact_text.c   strings without secrets
 *   lib/edit/hunt.c        where any of many texts is
 *   lib/edit/memo.c        what became of texts before
 *   lib/edit/verify.c      is nothing left?
 *   lib/edit/findings.c    what was redacted
 *   lib/edit/split.c       several files of one
 *   lib/edit/merge.c       one recording of many
 *   lib/edit/pieces.c      all their chunks, in the order of time
 *   lib/edit/spool.c       pipes, to be read in any order
 *   lib/edit/jvm.c         which chunks are of one JVM
 *   lib/edit/pack.c        chunks in one, with other ids, keys, ticks
 *   lib/edit/intern.c      constants of several chunks, each once
 *   lib/edit/recode.c renumber.c  values and types with other numbers
 *   lib/edit/repair.c      a valid recording from what is left of one
 *   lib/edit/tally.c       events kept and dropped, by type
 *   lib/cost/active.c      which settings were in force
 *   lib/cost/cost.c        what events take
 *   lib/cost/needs.c       which event types need which constants
 *   lib/cost/change.c      other settings, and which events would stay
 *   lib/cost/cost_scenario.c cost_rates.c  what these save; an hour, a day
 *   lib/cost/squeeze.c     how small compression makes it
 *   lib/print/print.c      from chunks to a document
 *   lib/print/printer.c    single events, as they come
 *   lib/print/window.c     events in order of time, over all chunks
 *   lib/print/pick.c       which events are printed
 *   lib/print/order.c      the JDK's heap of events
 *   lib/print/render.c     running templates
 *   lib/print/build.c      making templates
 *   lib/print/constant.c   the text of constants, kept and copied
 *   lib/print/json.c xml.c text.c ndjson.c csv.c   the formats
 *   lib/print/ndjson_value.c  short forms of threads, classes, ...
 *   lib/print/json_text.c  what both JSON formats share
 *   lib/print/columns.c    flat columns: eventThread.javaName
 *   lib/print/fields.c     which of them --fields asks for
 *   lib/print/java.c       threads, classes, stack traces in text
 *   lib/print/contexts.c   contextual events
 *   lib/print/times.c      the times of events
 *   lib/print/units.c      bytes, percent, addresses
 *   lib/print/metadata_text.c  types as declarations
 *   lib/dictionary/dictionary.c  what JDKs can record
 *   lib/dictionary/nodes.c declare.c texts.c  settings/dictionary, as types; what we say of them
 *   lib/dictionary/profile.c our own settings, fitted to a JDK
 *   lib/dictionary/embed.c runs while building: files as C
 *
 * The chunk files that JVMs keep on disks:
 *   lib/repository/name.c  what they are called
 *   lib/repository/directory.c  those of a directory
 *   lib/repository/writer.c  which JVM has which directory
 *   lib/repository/chunks.c  all of one, to be copied
 *   lib/repository/look.c  what a chunk file says of itself
 *
 * Events as a JVM records them:
 *   lib/stream/stream.c    the public iterator
 *   lib/stream/follow.c    from one chunk file to the next
 *   lib/stream/held.c      those that come and go
 *   lib/stream/tail.c      the end of one that grows
 *
 * Processes:
 *   lib/process/process.c  one, and never another with its number
 *   lib/process/root.c     files by the names that a process has for them
 *   lib/process/proc_text.c  what the files of /proc/PID say
 *   lib/process/own.c      what another user controls, touched by a child with his rights
 *   lib/process/own_child.c touch.c  what that child does
 *   lib/process/identity.c  becoming that user for good
 *   lib/process/attach_socket.c  the socket at which a JVM listens
 *   lib/process/child.c    starting, ending and talking to child processes
 *
 * JVMs of this host, and talking to them:
 *   lib/attach/find.c      all of them, and which are meant
 *   lib/attach/jvm.c       what one is called, whether it can be attached to
 *   lib/attach/view.c      all that can be seen of a process
 *   lib/attach/loaded.c    which JVM it has loaded
 *   lib/attach/hsperf.c    the performance data of HotSpot
 *   lib/attach/cmdline.c   what a command line of java starts
 *   lib/attach/container.c which container, by the cgroups
 *   lib/attach/jdk.c version.c  which version of Java
 *   lib/attach/rights.c user.c  whose JVMs we may talk to
 *   lib/attach/counters.c  the performance data, printed
 *   lib/attach/reach.c     the directories through which a JVM is reached
 *   lib/attach/ready.c     may it be sent a signal?
 *   lib/attach/handshake.c from a running JVM to a connection
 *   lib/attach/backoff.c   looking again and again
 *   lib/attach/wire.c      requests and replies as bytes
 *   lib/attach/exchange.c  one request and its reply
 *   lib/attach/helper.c    starting and asking a child that acts as the JVM's user
 *   lib/attach/helper_main.c  what that child does
 *   lib/attach/keep.c      what it clears away in the end
 *   lib/attach/session.c   all of that together
 *   lib/attach/diagnostic.c  any diagnostic command
 *   lib/attach/trace.c     telling each step
 *   lib/attach/diagnosis.c   findings, good and bad
 *   lib/attach/doctor_host.c doctor_jvm.c doctor_recorder.c   what finds them
 *   lib/attach/listening.c who listens at an attach socket
 *   lib/attach/cleaner.c   does tmpfiles.d take sockets away?
 *
 * What is recorded:
 *   lib/settings/settings.c  settings: made, read, joined, written
 *   lib/settings/element.c grammar.c  the tree that they are, and what may be in it
 *   lib/settings/jfc_read.c jfc_write.c libxml2.c  as a .jfc file
 *   lib/settings/from_yaml.c to_yaml.c  as YAML
 *   lib/settings/set.c     changing them, by the rules of `jfr configure`
 *   lib/settings/evaluate.c  which value follows from which option
 *   lib/settings/check.c lib/dictionary/check.c  what is wrong with them
 *   lib/settings/rows.c    settings and options as lists
 *   lib/settings/timespan.c  "20 ms"
 *   lib/settings/file.c    the whole of a small file
 *
 * Flight Recorder in a JVM:
 *   lib/attach/jfr.c       what its commands share; stopping
 *   lib/attach/jfr_start.c jfr_check.c jfr_dump.c jfr_configure.c   one command each
 *   lib/attach/jfr_option.c  every option, and which JDK has it
 *   lib/attach/room.c      whether the JVM's disks have room
 *   lib/attach/quote.c     the text of a command
 *   lib/attach/reply.c     what an answer means: one table
 *   lib/attach/recordings.c  the answer of JFR.check
 *   lib/attach/heap.c      a heap dump, brought here
 *   lib/attach/fetch.c     is the recording whole, and bring it here
 *
 * Collecting from many JVMs:
 *   lib/collect/collect.c pass.c   one pass over all
 *   lib/collect/living.c dead.c   JVMs that are there, and what others left
 *   lib/collect/turns.c    which user is next
 *   lib/collect/config.c   what people write
 *   lib/collect/state.c    what has been collected
 *   lib/collect/store.c    the directory of the files
 *   lib/collect/keep.c     which old ones have to go
 *   lib/collect/recorder.c recorders.c   a recording that is kept going; many side by side
 *   lib/collect/leftover.c writers.c   repositories of JVMs that were killed
 *   lib/collect/hook.c     the command for each new file
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "called_as.h"
#include "command.h"
#include "config.h"
#include "hints.h"
#include "report.h"
#include "typo.h"

static const struct command *const commands[] = {
	&cmd_print,
	&cmd_summary,
	&cmd_metadata,
	&cmd_filter,
	&cmd_merge,
	&cmd_split,
	&cmd_repair,
	&cmd_scrub,
	&cmd_list,
	&cmd_start,
	&cmd_stop,
	&cmd_check,
	&cmd_dump,
	&cmd_record,
	&cmd_stream,
	&cmd_configure,
	&cmd_collect,
	&cmd_settings,
	&cmd_config,
	&cmd_doctor,
	&cmd_jcmd,
	&cmd_heapdump,
	&cmd_threads,
	&cmd_histogram,
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(*commands))

static void print_usage(FILE *to)
{
	fputs("Usage: jfrec COMMAND [OPTION...] RECORDING...|TARGET\n"
	      "Record JVMs, read and rewrite JDK Flight Recorder recordings, without a JDK.\n"
	      "\n"
	      "Commands:\n",
	      to);
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(to, "  %-12s%s\n", commands[i]->name, commands[i]->summary);
	fputs("  help        explain a command\n"
	      "\n"
	      "Options:\n"
	      "      --config FILE         read defaults of options from FILE, too\n"
	      "      --no-config           read no such files\n"
	      "  -h, --help                print this help\n"
	      "  -V, --version             print the version\n"
	      "\n"
	      "`jfrec COMMAND --help` explains a command, jfrec(1) everything.\n",
	      to);
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	}
	return NULL;
}

static int unknown_word(const char *word)
{
	bool is_option = word[0] == '-';
	struct typo t = { .word = word };

	if (is_option) {
		typo_offer(&t, "--help");
		typo_offer(&t, "--version");
		typo_offer(&t, "--config");
		typo_offer(&t, "--no-config");
	} else {
		for (size_t i = 0; i < COMMAND_COUNT; i++)
			typo_offer(&t, commands[i]->name);
		typo_offer(&t, "help");
	}
	fprintf(stderr, "jfrec: unknown %s %s", is_option ? "option" : "command", word);
	if (t.meant)
		fprintf(stderr, "; did you mean %s?", t.meant);
	fputs("\nSee `jfrec --help`.\n", stderr);
	return EXIT_USAGE;
}

static int help(int argc, char **argv)
{
	const struct command *c;

	if (argc < 2) {
		print_usage(stdout);
		return finish_stdout();
	}
	c = find_command(argv[1]);
	return c ? command_help_on(c, argc - 1, argv + 1) : unknown_word(argv[1]);
}

static bool is_any(const char *s, const char *a, const char *b, const char *c)
{
	return strcmp(s, a) == 0 || strcmp(s, b) == 0 || strcmp(s, c) == 0;
}

/* Only a finished file that somebody cuts short meanwhile comes here. */
static void on_lost_page(int signal)
{
	static const char text[] = "jfrec: the recording was cut short while it was being read\n";

	(void)signal;
	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	_exit(EXIT_FAILED);
}

static bool is_called(const char *program, const char *name)
{
	const char *slash = program ? strrchr(program, '/') : NULL;

	return program && strcmp(slash ? slash + 1 : program, name) == 0;
}

/* Take --config and --no-config from the front of the command line.  False after a complaint. */
static bool take_config(int *argc, char ***argv)
{
	while (*argc > 1) {
		const char *word = (*argv)[1], *file = NULL;
		int words = 1;

		if (strcmp(word, "--no-config") == 0) {
			config_ignore();
		} else if (strncmp(word, "--config=", 9) == 0) {
			file = word + 9;
		} else if (strcmp(word, "--config") == 0) {
			file = (*argv)[2];
			words = 2;
			if (!file) {
				fputs("jfrec: option --config needs a value\n", stderr);
				return false;
			}
		} else {
			break;
		}
		if (file && config_add_file(file) != EXIT_DONE)
			return false;
		*argv += words;
		*argc -= words;
	}
	return true;
}

int main(int argc, char **argv)
{
	const struct command *c;

	/* A closed pipe is an error of write(), and no reason to die. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGBUS, on_lost_page);
	if (is_called(argv[0], "jcmd"))
		return as_jcmd(argc, argv);
	if (is_called(argv[0], "jfr"))
		return as_jfr(argc, argv);
	if (!take_config(&argc, &argv))
		return EXIT_USAGE;
	if (argc < 2) {
		print_usage(stderr);
		return EXIT_USAGE;
	}
	if (is_any(argv[1], "-h", "--help", "help"))
		return help(argc - 1, argv + 1);
	if (is_any(argv[1], "-V", "--version", "version")) {
		printf("jfrec %s\n", jfrec_version());
		return finish_stdout();
	}
	c = find_command(argv[1]);
	if (c)
		return c->run(c, argc - 1, argv + 1);
	return hint_first_word(argc - 1, argv + 1) ? EXIT_USAGE : unknown_word(argv[1]);
}
