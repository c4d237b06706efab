/* SPDX-License-Identifier: MIT */
/*
 * main.c - jfrec: dispatch, help, and the map of the sources
 *
 * The tool (it knows nothing of the library but jfrec.h):
 *   cli/main.c                     commands, dispatch, general help
 *
 * What all commands share:
 *   cli/common/abreast.c           many JVMs asked at once, printed in order
 *   cli/common/answer.c            what a JVM says, in lines
 *   cli/common/budget.c            --max-memory: how much may be used
 *   cli/common/clock_now.h         the time in nanoseconds
 *   cli/common/command_file.c      commands, one on a line
 *   cli/common/config.c            defaults from files
 *   cli/common/confine.c           what is given up before a recording is read
 *   cli/common/dump_file.c         a recording, from a JVM to a file here
 *   cli/common/filter_report.c     tables of what was kept and removed
 *   cli/common/for_each_jvm.c      a command for each JVM that is meant
 *   cli/common/from_repository.c   the same without a word to the JVM
 *   cli/common/harmless.c          text that a terminal shows and does not obey
 *   cli/common/hints.c             what is typed from memory of other tools
 *   cli/common/ignored_settings.c  settings that mean nothing
 *   cli/common/interrupt.c         waiting that ends well on Ctrl-C
 *   cli/common/jvm_settings.c      settings of ours, made ready for one JVM
 *   cli/common/lease.c             a recording that lasts as long as we do
 *   cli/common/many_files.c        all chunks of a repository at once
 *   cli/common/notify.c            telling systemd how it goes
 *   cli/common/outfile.c           that file; its name
 *   cli/common/outname.c           that file; its name
 *   cli/common/progress.c          how far it is; Ctrl-C
 *   cli/common/recordings.c        which recording is meant
 *   cli/common/report.c            stdout, stderr, exit codes, JSON documents
 *   cli/common/sanitized.h         is this a build with sanitizers?
 *   cli/common/split_files.c       the files that a recording is split into
 *   cli/common/sub.c               sub-commands: help, dispatch
 *   cli/common/typo.c              "did you mean"
 *
 * Groups of options:
 *   cli/opts/attach_opts.c         options of commands that talk to a JVM
 *   cli/opts/event_opts.c          which events: --events, --where, --from
 *   cli/opts/jfr_opts.c            options for Flight Recorder
 *   cli/opts/opt.c                 option tables: parsing and help
 *   cli/opts/output_opts.c         options and failures of what is written
 *   cli/opts/target.c              which JVMs a command is for
 *   cli/opts/timearg.c             time zones on the command line
 *
 * One command each:
 *   cli/cmd/check.c                jfrec check: the recordings of a JVM
 *   cli/cmd/collect.c              jfrec collect: bring what many JVMs record into one directory
 *   cli/cmd/config.c               jfrec config show: what counts if no option says otherwise
 *   cli/cmd/configure.c            jfrec configure: options of Flight Recorder itself
 *   cli/cmd/doctor.c               jfrec doctor: what keeps things from working, and what mends it
 *   cli/cmd/dump.c                 jfrec dump: bring what a JVM has recorded here
 *   cli/cmd/filter.c               jfrec filter: a recording of some of another one's events
 *   cli/cmd/heapdump.c             jfrec heapdump: bring the heap of a JVM here
 *   cli/cmd/histogram.c            jfrec histogram: how many objects of which class
 *   cli/cmd/jcmd.c                 jfrec jcmd: any diagnostic command
 *   cli/cmd/list.c                 jfrec list: the JVMs of this host
 *   cli/cmd/merge.c                jfrec merge: one recording of many
 *   cli/cmd/metadata.c             jfrec metadata: the event types that a recording declares
 *   cli/cmd/print.c                jfrec print: the events of a recording
 *   cli/cmd/record.c               jfrec record: record for some time, and bring the recording here
 *   cli/cmd/repair.c               jfrec repair: a valid recording from what is left of one
 *   cli/cmd/scrub.c                jfrec scrub: a recording without what is secret in it
 *   cli/cmd/settings.c             jfrec settings: what is recorded, and what that means
 *   cli/cmd/split.c                jfrec split: the chunks of a recording in several files
 *   cli/cmd/start.c                jfrec start: begin a recording in a JVM
 *   cli/cmd/stop.c                 jfrec stop: bring a recording here and end it
 *   cli/cmd/stream.c               jfrec stream: events as JVMs record them
 *   cli/cmd/summary.c              jfrec summary: how many events of each type
 *   cli/cmd/threads.c              jfrec threads: what the threads of a JVM do
 *
 * `jfrec settings`, one sub-command each, and what they share:
 *   cli/settings/active.c          jfrec settings active: what a recording or a JVM really uses
 *   cli/settings/check.c           jfrec settings check: what a JVM would not say of settings
 *   cli/settings/cost.c            jfrec settings cost: what settings take, and what others would save
 *   cli/settings/dictionary.c      asking what JDKs can record
 *   cli/settings/diff.c            jfrec settings diff: what two settings do differently
 *   cli/settings/events.c          settings as JSON
 *   cli/settings/explain_cmd.c     jfrec settings explain: what an event or a profile is
 *   cli/settings/explain_event.c   what an event tells, and what it costs
 *   cli/settings/explain_profile.c what a profile is for, and what is in it
 *   cli/settings/jdk_home.c        settings by name; of which JDKs
 *   cli/settings/list.c            jfrec settings list: which settings there are by name
 *   cli/settings/set.c             jfrec settings set: settings with changes
 *   cli/settings/show.c            jfrec settings show: settings in another form
 *   cli/settings/source.c          settings by name; of which JDKs
 *
 * Following JVMs:
 *   cli/stream/consumer.c          one JVM or directory of it; one stream of that, and what takes it
 *   cli/stream/http.c              metrics for who asks
 *   cli/stream/http_request.c      metrics for who asks
 *   cli/stream/loop.c              all that is streamed at once
 *   cli/stream/sink.c              output whose reader may be slow
 *   cli/stream/source.c            one JVM or directory of it; one stream of that, and what takes it
 *   cli/stream/trigger.c           a command for an event
 *
 * Called by the names of the JDK's tools:
 *   cli/jdk/as_jcmd.c              called by the names of the JDK's tools
 *   cli/jdk/as_jfr.c               called by the names of the JDK's tools
 *   cli/jdk/assemble.c             jfr assemble: one recording of a repository's chunk files
 *   cli/jdk/configure.c            `jfr configure`, as the JDK's
 *   cli/jdk/disassemble.c          jfr disassemble: the chunks of a recording in several files
 *   cli/jdk/jdk_names.c            what both of these share
 *   cli/jdk/scrub.c                jfr scrub: a recording of some of another one's events
 *   cli/jdk/usage.c                how commands of jfr are typed; wrong ones
 *   cli/jdk/wizard.c               `jfr configure` by questions
 *   cli/jdk/words.c                how commands of jfr are typed; wrong ones
 *
 * The library, from the ground up:
 *   lib/jfrec.h            the whole public interface, by its parts
 *   lib/jfrec/             its parts, one subject each
 *
 * The ground: depends on nothing else:
 *   lib/base/arena.c               many objects of one lifetime
 *   lib/base/array.c               arrays that grow
 *   lib/base/base64.c              bytes as letters, and back
 *   lib/base/buffer.c              bytes put together in memory
 *   lib/base/clock_now.h           the time in nanoseconds
 *   lib/base/cursor.c              the varints that cursor.h does not take inline
 *   lib/base/deadline.h            until when
 *   lib/base/descriptor.c          Java's names of types in class files
 *   lib/base/digest.c              128 bits that stand for some
 *   lib/base/error.c               filling struct jfrec_error
 *   lib/base/glob.c                `*` and `?`
 *   lib/base/holes.c               files that claim more bytes than anybody wrote
 *   lib/base/idmap.c               64-bit ids to small numbers
 *   lib/base/kernel.h              calls that not every libc has
 *   lib/base/near.c                the names most like one
 *   lib/base/number.c              numbers as Java prints them
 *   lib/base/out.c                 the output buffer
 *   lib/base/sha256.c              tokens that stand for texts
 *   lib/base/sort.c                a stable sort of (key, place)
 *   lib/base/timeparse.c           reading times and durations
 *   lib/base/timetext.c            times and durations as Java prints them
 *   lib/base/tmpfile.c             a file without a name
 *   lib/base/utf8.c                is it UTF-8?
 *
 * Bytes in:
 *   lib/input/gzip.c               decompression
 *   lib/input/input.c              files, pipes, standard input
 *   lib/input/kept.c               what was read of a stream and is still needed
 *   lib/input/lz4.c                decompression
 *   lib/input/stream.c             bytes from front to back
 *   lib/input/xz.c                 decompression
 *   lib/input/zstd.c               decompression
 *
 * Files out, whole or not at all:
 *   lib/output/compress_gzip.c     zlib
 *   lib/output/compress_zstd.c     libzstd
 *   lib/output/outname.c           names such as shop-%p-%t.jfr
 *   lib/output/output.c            a file that appears whole or not at all
 *   lib/output/temp.c              a file until it gets its name
 *
 * From bytes to slots:
 *   lib/format/chunk.c             one chunk in memory
 *   lib/format/chunk_header.c      the 68 bytes in front of a chunk
 *   lib/format/clock.c             ticks to nanoseconds
 *   lib/format/constants.c         finding its checkpoints
 *   lib/format/event_time.c        when an event began and ended
 *   lib/format/fit.h               has an event the bytes of its fields?
 *   lib/format/judge.c             which bytes of a damaged chunk are events
 *   lib/format/live_buffer.c       the bytes of one that grows
 *   lib/format/metadata.c          types, fields, annotations
 *   lib/format/missing.c           those that it refers to and lost
 *   lib/format/plan.c              decode plans
 *   lib/format/pool.c              constants
 *   lib/format/problem.c           telling what is damaged
 *   lib/format/recording.c         where chunks begin and end
 *   lib/format/rescue.c            types for a chunk that lost its own
 *   lib/format/slot.h              what the numbers in slots mean
 *   lib/format/string.c            the encodings of strings
 *   lib/format/walk.h              from event to event
 *
 * The public reader:
 *   lib/read/reader.c              the public iterator
 *   lib/read/select.c              --events and --categories
 *   lib/read/summary.c             counting events
 *   lib/read/types.c               the public view of types
 *   lib/read/value.c               the public view of values
 *   lib/read/where.c               --where: which events pass
 *   lib/read/where_compile.c       a program for each event type
 *   lib/read/where_literal.c       the text of an expression
 *   lib/read/where_parse.c         the text of an expression
 *   lib/read/where_run.c           running it on slots
 *
 * The public writer:
 *   lib/write/chunk_writer.c       one chunk, written
 *   lib/write/metadata_writer.c    the types it declares
 *   lib/write/pool_writer.c        its constants
 *   lib/write/writer.c             the public writer of events
 *   lib/write/writer_types.c       the types it declares
 *
 * Documents of events:
 *   lib/print/build.c              making templates
 *   lib/print/columns.c            flat columns: eventThread.javaName
 *   lib/print/constant.c           the text of constants, kept and copied
 *   lib/print/contexts.c           contextual events
 *   lib/print/csv.c                the formats
 *   lib/print/fields.c             which of them --fields asks for
 *   lib/print/java.c               threads, classes, stack traces in text
 *   lib/print/jdk_heap.c           the JDK's heap of events
 *   lib/print/json.c               the formats
 *   lib/print/json_text.c          what both JSON formats share
 *   lib/print/metadata_text.c      types as declarations
 *   lib/print/ndjson.c             the formats
 *   lib/print/ndjson_value.c       short forms of threads, classes, ...
 *   lib/print/pick.c               which events are printed
 *   lib/print/print.c              from chunks to a document
 *   lib/print/printer.c            single events, as they come
 *   lib/print/render.c             running templates
 *   lib/print/text.c               the formats
 *   lib/print/times.c              the times of events
 *   lib/print/units.c              bytes, percent, addresses
 *   lib/print/window.c             events in order of time, over all chunks
 *   lib/print/xml.c                the formats
 *
 * Events as metrics:
 *   lib/metrics/family.c           which metrics there are, and of which events they are made
 *   lib/metrics/metrics.c          numbers for monitoring, of the events of a JVM
 *   lib/metrics/openmetrics.c      metrics as text for monitoring: OpenMetrics 1.0
 *
 * Recordings from recordings:
 *   lib/edit/chunk_list.c          all their chunks, in the order of time
 *   lib/edit/copy.c                a chunk as it is
 *   lib/edit/encoded.c             secrets as they are in other texts
 *   lib/edit/event_predicate.h     which events stay
 *   lib/edit/filter.c              some of the events
 *   lib/edit/findings.c            what was redacted
 *   lib/edit/intern.c              constants of several chunks, each once
 *   lib/edit/jvm_groups.c          which chunks are of one JVM
 *   lib/edit/mark.c                the constants that these need
 *   lib/edit/merge.c               one recording of many
 *   lib/edit/recode.c              values and types with other numbers
 *   lib/edit/redact.c              strings without secrets
 *   lib/edit/redact_array.c        strings without secrets
 *   lib/edit/redact_cache.c        what became of texts before
 *   lib/edit/redact_metadata.c     strings without secrets
 *   lib/edit/redact_text.c         strings without secrets
 *   lib/edit/renumber.c            values and types with other numbers
 *   lib/edit/repack.c              chunks in one, with other ids, keys, ticks
 *   lib/edit/repair.c              a valid recording from what is left of one
 *   lib/edit/rewrite.c             a chunk with some of its events
 *   lib/edit/rule_paths.c          which rules look at which strings
 *   lib/edit/rules.c               what is one, and what takes its place
 *   lib/edit/rules_builtin.c       what is one, and what takes its place
 *   lib/edit/rules_file.c          what is one, and what takes its place
 *   lib/edit/rules_words.c         which texts a rule can have something for
 *   lib/edit/scrub.c               no secrets
 *   lib/edit/secret_words.c        what looks like a secret
 *   lib/edit/split.c               several files of one
 *   lib/edit/spool.c               pipes, to be read in any order
 *   lib/edit/tally.c               events kept and dropped, by type
 *   lib/edit/text_set.c            where any of many texts is
 *   lib/edit/verify.c              is nothing left?
 *
 * What recordings take:
 *   lib/cost/active.c              which settings were in force
 *   lib/cost/change.c              other settings, and which events would stay
 *   lib/cost/cost.c                what events take
 *   lib/cost/cost_rates.c          what these save; an hour, a day
 *   lib/cost/cost_scenario.c       what these save; an hour, a day
 *   lib/cost/needs.c               which event types need which constants
 *   lib/cost/squeeze.c             how small compression makes it
 *
 * What is recorded:
 *   lib/settings/check.c           what is wrong with them
 *   lib/settings/config.c          defaults of the tool
 *   lib/settings/element.c         the tree that they are, and what may be in it
 *   lib/settings/evaluate.c        which value follows from which option
 *   lib/settings/file.c            the whole of a small file
 *   lib/settings/from_yaml.c       as YAML
 *   lib/settings/grammar.c         the tree that they are, and what may be in it
 *   lib/settings/jfc_read.c        as a .jfc file
 *   lib/settings/jfc_write.c       as a .jfc file
 *   lib/settings/libxml2.c         as a .jfc file
 *   lib/settings/rows.c            settings and options as lists
 *   lib/settings/set.c             changing them, by the rules of `jfr configure`
 *   lib/settings/settings.c        settings: made, read, joined, written
 *   lib/settings/timespan.c        "20 ms"
 *   lib/settings/to_yaml.c         as YAML
 *   lib/settings/yaml.c            small YAML documents, read strictly; written
 *   lib/settings/yaml_out.c        small YAML documents, read strictly; written
 *
 * What JDKs can record:
 *   lib/dictionary/check.c         what is wrong with them
 *   lib/dictionary/declare.c       settings/dictionary, as types; what we say of them
 *   lib/dictionary/dictionary.c    what JDKs can record
 *   lib/dictionary/embed.c         runs while building: files as C
 *   lib/dictionary/nodes.c         settings/dictionary, as types; what we say of them
 *   lib/dictionary/profile.c       our own settings, fitted to a JDK
 *   lib/dictionary/texts.c         settings/dictionary, as types; what we say of them
 *
 * Seeing a JVM, and opening what is its own:
 *   lib/process/attach_socket.c    the socket at which a JVM listens
 *   lib/process/backoff.c          looking again and again
 *   lib/process/child.c            starting, ending and talking to child processes
 *   lib/process/cmdline.c          what a command line of java starts
 *   lib/process/container.c        which container, by the cgroups
 *   lib/process/counters.c         the performance data, printed
 *   lib/process/find.c             all of them, and which are meant
 *   lib/process/hsperf.c           the performance data of HotSpot
 *   lib/process/identity.c         becoming that user for good
 *   lib/process/jdk.c              which version of Java
 *   lib/process/jvm.c              what one is called, whether it can be attached to
 *   lib/process/jvm_root.c         the directories through which a JVM is reached
 *   lib/process/loaded.c           which JVM it has loaded
 *   lib/process/own.c              what another user controls, touched by a child with his rights
 *   lib/process/own_child.c        what that child does
 *   lib/process/probe.c            all that can be seen of a process
 *   lib/process/proc_text.c        what the files of /proc/PID say
 *   lib/process/process.c          one, and never another with its number
 *   lib/process/rights.c           whose JVMs we may talk to
 *   lib/process/root.c             files by the names that a process has for them
 *   lib/process/signal_safety.c    may it be sent a signal?
 *   lib/process/touch.c            what that child does
 *   lib/process/user.c             whose JVMs we may talk to
 *   lib/process/version.c          which version of Java
 *
 * Talking to a JVM:
 *   lib/attach/cleanup.c           what it clears away in the end
 *   lib/attach/exchange.c          one request and its reply
 *   lib/attach/handshake.c         from a running JVM to a connection
 *   lib/attach/helper.c            starting and asking a child that acts as the JVM's user
 *   lib/attach/helper_main.c       what that child does
 *   lib/attach/session.c           all of that together
 *   lib/attach/trace.c             telling each step
 *   lib/attach/wire.c              requests and replies as bytes
 *
 * Flight Recorder in a JVM:
 *   lib/jfr/check.c                one command each
 *   lib/jfr/configure.c            one command each
 *   lib/jfr/diagnostic.c           any diagnostic command
 *   lib/jfr/disk_space.c           whether the JVM's disks have room
 *   lib/jfr/dump.c                 one command each
 *   lib/jfr/dump_fetch.c           is the recording whole, and bring it here
 *   lib/jfr/heap.c                 a heap dump, brought here
 *   lib/jfr/jfr.c                  what its commands share; stopping
 *   lib/jfr/option.c               every option, and which JDK has it
 *   lib/jfr/quote.c                the text of a command
 *   lib/jfr/recordings.c           the answer of JFR.check
 *   lib/jfr/reply.c                what an answer means: one table
 *   lib/jfr/start.c                one command each
 *
 * The chunk files that JVMs keep on disk:
 *   lib/repository/chunks.c        all of one, to be copied
 *   lib/repository/directory.c     those of a directory
 *   lib/repository/look.c          what a chunk file says of itself
 *   lib/repository/name.c          what they are called
 *   lib/repository/owner.c         which JVM has which directory
 *
 * Events as a JVM records them:
 *   lib/stream/flush_clock.c       when the next flush of a JVM is due, by when the last ones were
 *   lib/stream/follow.c            from one chunk file to the next
 *   lib/stream/pending_chunks.c    those that come and go
 *   lib/stream/stream.c            the public iterator
 *   lib/stream/tail.c              the end of one that grows
 *
 * Why a JVM cannot be attached to or recorded:
 *   lib/doctor/cleaner.c           does tmpfiles.d take sockets away?
 *   lib/doctor/diagnosis.c         findings, good and bad
 *   lib/doctor/host.c              what finds them
 *   lib/doctor/jvm.c               what finds them
 *   lib/doctor/listening.c         who listens at an attach socket
 *   lib/doctor/recorder.c          what finds them
 *
 * Collecting from many JVMs:
 *   lib/collect/collect.c          one pass over all
 *   lib/collect/config.c           what people write
 *   lib/collect/dead.c             JVMs that are there, and what others left
 *   lib/collect/hook.c             the command for each new file
 *   lib/collect/leftover.c         repositories of JVMs that were killed
 *   lib/collect/living.c           JVMs that are there, and what others left
 *   lib/collect/owners.c           repositories of JVMs that were killed
 *   lib/collect/pass.c             one pass over all
 *   lib/collect/recorder.c         a recording that is kept going; many side by side
 *   lib/collect/recorders.c        a recording that is kept going; many side by side
 *   lib/collect/retention.c        which old ones have to go
 *   lib/collect/state.c            what has been collected
 *   lib/collect/store.c            the directory of the files
 *   lib/collect/turns.c            which user is next
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/config.h"
#include "common/hints.h"
#include "common/report.h"
#include "common/typo.h"
#include "jdk/called_as.h"

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
