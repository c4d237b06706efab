/* SPDX-License-Identifier: MIT */
/*
 * main.c - dispatch, help, and the map of the sources
 *
 * The map lists every source file, folder by folder, in the words of its own first line
 * (tests/cli/map.sh checks it, and brings it up to date).  In lib/, a folder includes only
 * folders above it; tests/folders.tsv says which.
 *
 * cli: the tool, which includes nothing of the library but jfrec.h
 *   main.c              dispatch, help, and the map of the sources
 *
 * cli/base: what every command has: its interface, options, reports, limits
 *   budget.c            the memory limit of commands that read recordings: --max-memory
 *   command.h           the interface of a command, and helpers for all commands
 *   config.c            read default values from configuration files
 *   config_values.c     read the values of a configuration file
 *   confine.c           drop every privilege that reading recordings does not need
 *   confine_calls.c     allow the system calls that reading and writing recordings takes
 *   confine_capabilities.c drop the capabilities that the paths of a command do not need
 *   confine_files.c     allow the files that a command names, and those that libc reads
 *   confine_parts.h     what confine.c consists of
 *   dump.c              print all options of all commands, for tests of hand-written lists
 *   grown_text.c        collect in memory what the library writes
 *   harmless.c          escape untrusted text so that a terminal cannot act on it
 *   hints.c             suggest our option for one that belongs to another tool
 *   interrupt.c         wait, and end cleanly on Ctrl-C
 *   json.c              JSON documents of commands
 *   many_files.c        raise the limit of open files
 *   notify.c            report the state of the service to systemd
 *   opt.c               parse options and print help, both from one table
 *   outname.c           expand patterns such as %p-%t in names of output files
 *   output_limit.c      how much a command may write: --max-output
 *   owned.c             allocations that are freed together
 *   progress.c          show the progress of a command on a terminal
 *   report.c            report failures, and choose the exit code
 *   sanitized.h         detect a build with sanitizers, which need more rights and memory
 *   spool.c             how much of a pipe that is to be read twice may be stored: --max-spool
 *   stdout.c            write to standard output: harmless on a terminal, given up after Ctrl-C
 *   sub.c               dispatch sub-commands, and print help for commands
 *   typo.c              find the known word nearest to a mistyped one
 *   values.c            values of options that are numbers, sizes and lengths of time
 *
 * cli/opts: groups of options
 *   attach_opts.c       options of the commands that attach to a JVM
 *   dictionary.c        look up what each JDK version can record
 *   event_opts.c        options that select events
 *   format_opts.c       options that choose the output format, from the library's table of formats
 *   jfr_opts.c          options that set Flight Recorder's options
 *   jobs_opts.c         how many threads read a recording: --jobs
 *   output_opts.c       options of the commands that write recordings
 *   target.c            options and operands that select JVMs
 *   timearg.c           options that take times and time zones
 *
 * cli/recording: recordings that are read and written
 *   filter_report.c     report how many events a command kept and removed
 *   open_recordings.c   open recordings, and report what is damaged in them
 *   operand.c           operands that are recordings, or a JVM that is recording
 *   outfile.c           the output file of a recording, from a temporary name to its own
 *   recorded.c          record a JVM for a command that then reads the recording
 *   side_facts.c        events, pauses, settings and flags of a recording, for comparing two
 *   split_files.c       write the output files of `jfrec split`
 *
 * cli/jvm: JVMs that are asked, and what they have recorded
 *   abreast.c           query many JVMs at once and print their answers in order
 *   answer.c            print the reply to a diagnostic command, line by line
 *   command_file.c      read a file of diagnostic commands, one per line
 *   crashed.c           name the files that a crashed JVM left
 *   dump_file.c         fetch what a JVM dumps
 *   for_each_jvm.c      run a command for each selected JVM
 *   from_repository.c   copy a recording from a JVM's files, without attaching
 *   hidden_settings.c   say which other setting takes its effect from what was --set
 *   ignored_settings.c  warn about settings that the JVM would silently ignore
 *   jvm_settings.c      adapt settings to the version and the collector of a JVM
 *   lease.c             have a JVM record with the caller's settings until this process ends
 *   left_behind.c       find the repository that a killed JVM left
 *   named_classes.c     say which classes that filters of methods name are not there
 *   read_back.c         does a recording that was started record what was asked for?
 *   recordings.c        list a JVM's recordings, and select one of them
 *   stack_depth.c       how deep stack traces of a JVM's first recording are
 *   stalls.c            leave out of a profile what a JVM's garbage collector does not bear
 *
 * cli/cmd: the commands
 *   analyze.c           jfrec analyze: what is wrong in a recording, and what to do
 *   check.c             jfrec check: the recordings of a JVM
 *   collect.c           jfrec collect: copy the recordings of many JVMs into one directory
 *   config.c            jfrec config show: the defaults in effect
 *   configure.c         jfrec configure: change the options of Flight Recorder itself
 *   diff.c              jfrec diff: compare where time, memory and waiting went in two recordings
 *   doctor.c            jfrec doctor: find out why a JVM cannot be attached to or recorded
 *   dump.c              jfrec dump: fetch what a JVM has recorded so far
 *   export.c            jfrec export: events as tables, in files for other engines
 *   filter.c            jfrec filter: copy selected events into a new recording
 *   flame.c             jfrec flame: draw flame graphs of CPU time, allocation, locks
 *   heapdump.c          jfrec heapdump: fetch a heap dump of a JVM
 *   histogram.c         jfrec histogram: objects on the heap, by class
 *   jcmd.c              jfrec jcmd: send any diagnostic command to a JVM
 *   list.c              jfrec list: list the JVMs of this host
 *   merge.c             jfrec merge: merge recordings into one
 *   metadata.c          jfrec metadata: print the event types that a recording declares
 *   print.c             jfrec print: print the events of recordings
 *   query.c             jfrec query: answer a question that the user writes
 *   record.c            jfrec record: record for a while and fetch the recording
 *   repair.c            jfrec repair: make a valid recording from a damaged one
 *   report.c            jfrec report: a recording on one page
 *   scrub.c             jfrec scrub: remove secrets from a recording
 *   settings.c          jfrec settings: show, check, compare and change recording settings
 *   split.c             jfrec split: split a recording into several files
 *   sql.c               jfrec sql: SQL over the events of recordings
 *   start.c             jfrec start: start a recording in a JVM
 *   stop.c              jfrec stop: stop a recording and fetch it
 *   stream.c            jfrec stream: print events while JVMs record them
 *   summary.c           jfrec summary: count the events of each type
 *   symbolize.c         jfrec symbolize: name the frames of native programs afterwards
 *   threads.c           jfrec threads: print the thread dump of a JVM
 *   view.c              jfrec view: show a table that answers a common question
 *
 * cli/analyze: findings of `jfrec analyze`, printed
 *   analyze.h           findings as text, as documents, and explained
 *   asking.c            which rules judge, and by which limits: options of all commands that judge
 *   commands.c          commands of findings, made ready to be pasted into a shell
 *   document.c          findings as JSON: one document, or an object for each finding
 *   explain.c           say what a rule asks, how it finds out, what it cannot see, and what to do
 *   folder.c            a directory of recordings, each to be judged by itself
 *   formats.c           findings for other tools: Markdown, SARIF, JUnit
 *   packed.c            an archive of recordings, each to be judged by itself
 *   several.c           judge several recordings, each by itself, side by side
 *   text.c              print findings to be read: warnings first, each with what to do
 *   wishes.c            files with rules and limits of a project, and with findings of earlier runs
 *
 * cli/settings: the sub-commands of `jfrec settings`
 *   active.c            jfrec settings active: show the settings that a recording or JVM uses
 *   check.c             jfrec settings check: find mistakes that a JVM would silently accept
 *   commands.h          the sub-commands of `jfrec settings`
 *   cost.c              jfrec settings cost: show the space events take, and what would save some
 *   diff.c              jfrec settings diff: compare two settings
 *   events.c            write settings as JSON, grouped by event
 *   explain.h           the two halves of `jfrec settings explain`: events and profiles
 *   explain_cmd.c       jfrec settings explain: explain an event or a profile
 *   explain_event.c     explain an event: its meaning, its cost, its settings
 *   explain_profile.c   explain a profile or a settings file: its purpose and its contents
 *   jdk_home.c          find the JDKs of this host and their settings files
 *   list.c              jfrec settings list: list the settings that have a name
 *   set.c               jfrec settings set: change settings
 *   show.c              jfrec settings show: print settings, also in the other format
 *   source.c            open settings by name or from a file
 *
 * cli/stream: following JVMs
 *   consumer.c          pass the events of a stream to standard output, metrics or a command
 *   http.c              an HTTP server for the metrics page, run by the event loop
 *   http_request.c      parse an HTTP request for the metrics page
 *   judge.c             judge what a JVM records, window by window, and tell which rules turn
 *   loop.c              the event loop of `jfrec stream`, and the JVMs it follows
 *   sink.c              write the stream to standard output without waiting for slow readers
 *   source.c            what takes the events of one JVM, directory or file
 *   trigger.c           run a command when an event occurs: --on, --exec, --cooldown
 *   turned.c            run a command for each rule that turned, one after another
 *
 * cli/collect: jfrec collect: the recordings of many JVMs in one directory
 *   apart.c             work on a collected file, in a process of its own
 *   child.c             wait for a child process, but not for long
 *   collect.c           one collecting pass over all selected JVMs
 *   config.c            parse the configuration of `jfrec collect`: jfrec-collect(5)
 *   dead.c              collect what JVMs that have exited left on disk, then remove it
 *   hook.c              run the user's command for each new file
 *   idle.c              remember the repositories of exited JVMs that had nothing new
 *   lake.c              write the tables of a collected file, in a process of its own
 *   living.c            collect the finished chunks of running JVMs
 *   nobody.c            let a process of root go on as nobody
 *   page.c              write a report on a collected file, in a process of its own
 *   pass.c              report on one pass, and copy chunks into files
 *   quiet.c             remember the JVMs that had nothing to collect
 *   recorder.c          keep a recording running in one JVM
 *   recorders.c         keep recordings running in many JVMs at once
 *   retention.c         choose the old files to delete, by age and total size
 *   state.c             remember what has been collected
 *   store.c             the directory that collected files are written to
 *   told.c              keep the log short: what lasts is told once, and of many alike the first
 *   turns.c             let users take turns, so that none delays all others
 *
 * cli/jdk: the JDK's own tools, jcmd and jfr, by their names
 *   as_jcmd.c           act as the JDK's jcmd, when called by that name
 *   as_jfr.c            act as the JDK's jfr, when called by that name
 *   as_jfrconv.c        act as async-profiler's jfrconv 4.5, when called by that name
 *   assemble.c          jfr assemble: join the chunk files of a repository
 *   called_as.h         the interface of jcmd and jfr, the other names of jfrec
 *   configure.c         jfr configure: edit .jfc files with the JDK's command line
 *   disassemble.c       jfr disassemble: write the chunks of a recording to several files
 *   jdk_names.c         helpers that as_jcmd.c and as_jfr.c share
 *   scrub.c             jfr scrub: copy a recording without excluded events
 *   usage.c             usage texts of the commands of `jfr`
 *   view.c              jfr view: what is typed, and refused, as the JDK does
 *   wizard.c            jfr configure --interactive: choose settings by answering questions
 *   words.c             parse command lines of `jfr` by the JDK's rules
 *
 * lib: the library
 *   jfrec.h             read and write JDK Flight Recorder recordings without a JVM
 *
 * lib/jfrec: the public API, by subject
 *   analyze.h           findings: what is wrong in a recording, how that is known, what to do
 *   arrow.h             the tables of a recording as Apache Arrow, in memory and without a copy
 *   base.h              what all of libjfrec has in common: its version, errors, where output goes
 *   chunk.h             the parts of a recording, and what can be wrong with them
 *   cost.h              which settings a recording was made with, and the space that events take
 *   crash.h             the files that a crashing JVM leaves
 *   dictionary.h        what JDKs can record
 *   doctor.h            why a JVM cannot be attached to or recorded
 *   edit.h              rewriting recordings: filter, merge, split, repair
 *   event.h             an event: its chunk, its type, its values
 *   export.h            the tables of a recording as files for other engines
 *   heap.h              dumping the heap of a JVM
 *   host.h              what the host shows of a JVM from outside, which its recording lacks
 *   jfr.h               controlling Flight Recorder in a JVM
 *   jvm.h               finding the JVMs of this host
 *   lease.h             a recording in a JVM that ends when this process does
 *   leftovers.h         repositories of JVMs that have exited
 *   metrics.h           metrics made from events
 *   output.h            files that appear complete or not at all
 *   print.h             printing events and their types
 *   profile.h           built-in settings, and settings that fit a JDK
 *   query.h             questions about a recording, answered by tables
 *   reader.h            opening a recording, selecting events, stepping through them
 *   report.h            a recording on one page: what is wrong, when, and where to look
 *   repository.h        the chunk files that a JVM keeps on disk
 *   scrub.h             rewriting recordings without what is secret
 *   session.h           talking to a JVM
 *   settings.h          recording settings
 *   sql.h               SQL over the events of recordings, as they lie
 *   stacks.h            where the time, the memory, the waiting goes: weighted stacks of events
 *   stream.h            following events while a JVM records them
 *   summary.h           counting events
 *   symbols.h           names and lines for the frames of native programs, after the fact
 *   tables.h            events as tables: a row for each event, a column for each value
 *   text.h              sizes, durations and names as people type them
 *   time.h              points in time, as people write them
 *   writer.h            writing recordings
 *   yaml.h              small YAML documents, such as configurations, read strictly
 *
 * lib/base: the ground, which depends on nothing else
 *   amount.c            parse whole numbers and sizes
 *   arena.c             allocate many small objects and free them all at once
 *   array.c             arrays that grow
 *   base64.c            encode and decode Base64
 *   buffer.c            a growing byte buffer, with the encodings of recordings
 *   clock_now.h         the time, in nanoseconds
 *   cursor.c            read the varints that cursor.h does not read inline
 *   deadline.h          a point in time after which waiting ends
 *   descriptor.c        parse JVM type descriptors such as "[[Ljava/lang/String;" or "I"
 *   digest.c            128-bit hashes of bytes, and a hash map keyed by them
 *   embedded.c          data files that the build puts into the library
 *   error.c             fill in struct jfrec_error where the failure occurs
 *   glob.c              match the JDK's wildcards: `*` any run, `?` one character, no escape
 *   highest_bits.h      where varints end: the highest bits of many bytes at once
 *   holes.c             detect sparse files, whose size is larger than their contents
 *   idmap.c             map 64-bit ids to small consecutive numbers
 *   kernel.h            system calls that not every libc wraps
 *   library.c           the version of the library, and freeing what it returns
 *   near.c              suggest known names similar to an unknown one
 *   number.c            format numbers as Java does
 *   of_program.c        what is said of JVMs, said of a program that is none
 *   options.c           structs of options that may be smaller or larger in the program than here
 *   out.c               a buffer for output, which needs few writes
 *   sha256.c            compute HMAC-SHA-256
 *   shell_word.c        a name as one word of a command that is pasted into a shell
 *   small_file.c        read a small file into memory
 *   sort.c              a stable radix sort of events by time
 *   timeparse.c         parse points in time and durations
 *   timetext.c          format points in time and durations as Java does
 *   tmpfile.c           create an unnamed temporary file
 *   units.c             format amounts with units, as `jfr print` does
 *   utf8.c              validate UTF-8
 *
 * lib/native: a flight recorder for native programs, a library of its own
 *   accounts.c          events of what the kernel and libc count for the process
 *   amounts.c           sizes and durations, as people write them: 250m, 10 ms
 *   answer.c            what is replied to requests, but for those of Flight Recorder
 *   answer_jfr.c        the commands of Flight Recorder: JFR.start and the others
 *   attach.c            the socket at which jfrec and jcmd reach this process, as they reach a JVM
 *   blocked.c           see where threads wait, without a signal
 *   borrowed.c          types of the JDK that native programs may have, too
 *   bounds.c            where the stacks of threads lie, so that they can be copied
 *   bytes.c             a buffer that grows, and numbers and texts as recordings have them
 *   check.c             what of a buffer are events, and which stacks they refer to
 *   chunk.c             write a chunk file that others read meanwhile
 *   clock.c             nanoseconds since the recorder was started, from the processor's counter
 *   container.c         events of the container in which the process runs
 *   control.c           start, dump and stop recordings: for programs, clients and the exit
 *   drainer.c           the threads that empty the buffers, nearly always one
 *   engine.c            what records: region, chunk, repository, and the thread that flushes
 *   environment.c       start the recorder as the variable JFREC_RECORD asks for
 *   event.c             begin and commit one event, in any thread, at any time
 *   fail.c              fill the error of a caller, who may not want it
 *   filter.c            filters of system calls, which may end the process
 *   flush.c             move events from the buffers into the chunk, and what they refer to
 *   follow.c            children of fork() get a recorder of their own
 *   frame_reader.h      numbers and addresses in tables of frames, within their bounds
 *   gate.c              what must not be going on when the program forks
 *   held.c              descriptors that the recorder keeps in a program which may close them
 *   jfrec-recorder.h    a flight recorder for native programs
 *   lives.c             events of threads that begin and end
 *   losses.c            how many events found no room
 *   memory.c            map the region, and hand out its buffers without locks
 *   metadata.c          describe the types in the way of recordings
 *   modules.c           the program and its libraries: tables of frames, names of functions
 *   observe.c           events of the process and the machine, which the program need not emit
 *   paths.c             the files of recordings: %p in their names, and names nobody gave
 *   perfdata.c          the file by which jps, jcmd -l and jfrec list find a process
 *   pin.c               a plug-in that carries the recorder stays loaded
 *   place.c             directories that stay in reach when the root changes
 *   preload.h           what the parts of jfrec-record-preload.so share
 *   preload_descriptors.c what a descriptor is: a path, or an address and a port
 *   preload_exit.c      wrappers of what ends the process at once
 *   preload_filters.c   wrappers of what installs a filter of system calls
 *   preload_find.c      the functions that the wrappers stand for
 *   preload_io.c        wrappers of what reads and writes descriptors
 *   preload_kernel.c    system calls without a function of libc, which would have to be looked up
 *   preload_locks.c     wrappers of what waits for other threads, and of what sleeps
 *   preload_rights.c    wrappers of what takes from the program where the recorder writes
 *   preload_waits.c     wrappers of what waits without an event: for samples of blocked threads
 *   profile.c           the settings of a .jfc file
 *   prologue.c          where a frame pointer is, from how a function begins
 *   recall.c            the stack of the thread that emits an event, if it was seen a moment ago
 *   received.c          the values of an event that is being delivered
 *   recorder.c          what programs call
 *   recordings.c        the recordings of this process, and what each of them keeps
 *   region.h            the memory of events, laid out so that it can be read after a crash
 *   registers.h         the registers of interrupted code, in DWARF's order
 *   repository.c        the directory of chunk files: names, limits, dumps
 *   request.c           what a client of the attach socket asks for
 *   sampler.c           see where the program's threads spend their CPU time
 *   settings.c          what was set for types of events: a list in which later rows win
 *   stacks.c            stacks of samples, each kept once, and the names of their functions
 *   subscribe.c         deliver events to functions of the program
 *   texts.c             texts that many events contain, each kept once
 *   thread.c            what each thread has: its two writers, and its row in the region
 *   traces.c            stacks of events, each kept once
 *   types.c             the types of events, and the settings that count for them
 *   unwind.c            who called whom, worked out from registers and a copy of the stack
 *   wait.c              a thread says where it begins to wait, for the sampler
 *   walk.c              the stack of the thread that emits an event
 *
 * lib/input: bytes in
 *   archive.c           read the files in a zip or tar archive where they are
 *   archive_parts.h     what archive.c and the readers of zip and tar need of each other
 *   bzip2.c             decompress bzip2 with libbz2
 *   gzip.c              decompress gzip, and what zip packs in the same way, with zlib
 *   input.c             read from files, pipes, standard input and memory
 *   kept.c              keep the part of a stream that may be needed again
 *   letters.c           decode base64, as mail and tickets carry what they take for no text
 *   lz4.c               decompress LZ4 frames with liblz4
 *   member.c            open a file in an archive as an input
 *   region.c            the bytes of an archive, for those that find the files in it
 *   source.c            read bytes in sequence from a descriptor or memory
 *   stream.c            read bytes in sequence from a pipe or a compressed file
 *   tar.c               find the files in a tar archive
 *   xz.c                decompress xz with liblzma
 *   zip.c               find the files in a zip archive
 *   zstd.c              decompress zstd with libzstd
 *
 * lib/output: files out, complete or not at all
 *   compress.h          compressing what is written, as it comes
 *   compress_gzip.c     compress output with zlib
 *   compress_zstd.c     compress output with libzstd
 *   output.c            write a file that appears complete or not at all
 *   outputs.c           files that all appear when each is complete
 *   temp.c              a temporary file that gets its final name at the end
 *
 * lib/format: from bytes to decoded values
 *   chunk.c             load one chunk: its bytes, its types, its constants
 *   chunk_header.c      parse the 68-byte header of a chunk
 *   chunk_pages.c       which types of events there are where in a chunk
 *   clock.c             convert ticks to nanoseconds, rounded as in the JDK
 *   constants.c         find the checkpoints of a chunk and index their constants
 *   equivalents.c       event types of other producers that say what one of the JDK's says
 *   event_time.c        read when an event began and ended, without decoding the rest
 *   fit.h               check that an event has enough bytes for its fields
 *   foreign.c           know what people take for a recording by its first bytes
 *   headless.c          make a header for a chunk that lost it
 *   judge.c             decide which bytes of a damaged chunk are events
 *   live_buffer.c       a window on the bytes of a growing chunk
 *   lost_returns.c      put back the carriage returns that a chunk lost, where each CR LF became LF
 *   lost_returns_input.c read an input as it was before each CR LF in it became LF
 *   mangled.c           recognise a recording that was sent as text, and undo what that did to it
 *   mark.c              mark the constants that the remaining events use
 *   metadata.c          parse the types that a chunk declares
 *   metadata_writer.c   write the metadata event
 *   missing.c           stand-ins for constants that a chunk refers to but lacks
 *   object.c            constants and their members by name: a method, its class, that class's name
 *   plan.c              compile decode plans: how to read the fields of each type
 *   pool.c              the constant pools of a chunk: threads, classes, methods, stack traces
 *   problem.c           report damage in a recording to the caller
 *   problem_log.c       problems that are reported later, in another order than they were met
 *   record_reach.c      how far bytes can be what a recorder wrote
 *   recording.c         find the chunks of a recording, one after the other
 *   recording_archive.c the recordings in an archive, each a file of the recording
 *   recording_files.c   the files that make up a recording, one open at a time
 *   recording_paths.c   the list of a recording's files, and what is known of each
 *   rescue.c            recover chunks without metadata or header, and events after damage
 *   slot.h              the decoded form of values: what the numbers in slots mean
 *   sound.c             whether all bytes of a chunk are events
 *   spool.c             store pipes and compressed input so that it can be read in any order
 *   stray.c             find constants that are stored under the type of others
 *   string.c            decode the string encodings of recordings
 *   v0_chunk.c          turn a chunk of version 0.x into one of 2.1
 *   v0_constants.c      the constants of a chunk of version 0.x, by key and time
 *   v0_input.c          read an input that has chunks of version 0.x as if they were of 2.1
 *   v0_metadata.c       declare in 2.1 what a chunk of version 0.x declares
 *   v0_names.c          what the types of version 0.x and their fields are called in 2.x
 *   v0_types.c          what a chunk of version 0.x declares: events, values, constants
 *   v0_write.c          events and constants of version 0.x in the encoding of 2.1
 *   walk.h              step from event to event in a chunk
 *
 * lib/process: finding JVMs, and opening their files safely
 *   attach_socket.c     find the socket at which a JVM takes diagnostic commands
 *   backoff.c           poll at growing intervals
 *   cgroup.c            the control groups of a process, and the numbers in their files
 *   child.c             run code that may hang, or needs other rights, in a child process
 *   cmdline.c           find the main class or jar in a java command line
 *   container.c         find the container of a process from its cgroups
 *   counters.c          print a JVM's performance counters, as PerfCounter.print does
 *   cpu_use.c           which processes used the processors between two moments
 *   find.c              find the JVMs of this host, and select some of them
 *   frozen.c            is a process held by its cgroup's freezer, or deep in the kernel?
 *   headroom.c          how many threads, descriptors and bytes a process may still take
 *   hsperf.c            read the performance data that HotSpot keeps in /tmp
 *   identity.c          switch a child process to another user for good
 *   jdk.c               find the version of the JDK that a libjvm.so belongs to
 *   jvm.c               the name of a JVM, and whether it can be attached to
 *   jvm_root.c          open the directories through which a JVM's files are reached
 *   listening.c         find out who listens at a JVM's attach socket, without connecting
 *   loaded.c            find the libjvm.so that a process has loaded
 *   own.c               have a child process open files that another user controls
 *   own_child.c         the child process of own.c, which has only the other user's rights
 *   own_wire.h          what own.c and its child say to each other
 *   preflight.c         has a JVM what it takes to be attached to?
 *   pressure.c          how often the kernel stopped or killed what a control group holds
 *   probe.c             collect what can be seen of a process that may be a JVM
 *   proc_text.c         parse the files of /proc/PID
 *   process.c           a handle to one process that cannot become another one
 *   rights.c            find out whose JVMs this process may attach to
 *   root.c              open a process's files by the names it has for them
 *   signal_safety.c     check that SIGQUIT starts the attach listener and does not kill
 *   tmpdir.c            the directory in which a JVM has its attach socket and its performance data
 *   touch.c             open files by the rules of own.h, with the caller's rights
 *   user.c              look up user names
 *   version.c           parse Java versions
 *
 * lib/repository: the chunk files that JVMs keep on disk
 *   chunk_files.c       the public view of the chunk files of a repository
 *   chunks.c            list the chunk files of a JVM's repository
 *   crash_file.c        what a killed native program had recorded, but not flushed
 *   directory.c         open a directory of chunk files as one recording
 *   leftover.c          find repositories of JVMs that have exited
 *   leftovers.c         the public view of repositories of JVMs that have exited
 *   look.c              read the header of a chunk file that may be changing
 *   name.c              parse the names of repositories and chunk files
 *   owner.c             match JVMs with their repositories, without attaching
 *   owners.c            find the processes that may still write to a repository
 *
 * lib/symbols: names and lines of machine code
 *   cxx.h               symbols of C++, as the Itanium ABI mangles them, taken apart
 *   cxx_expression.c    read the expressions in symbols of C++, and the names of operators
 *   cxx_name.c          read the names in symbols of C++
 *   cxx_node.c          the nodes and the numbers of symbols of C++
 *   cxx_print.c         write the names in symbols of C++
 *   cxx_type.c          read the types in symbols of C++
 *   debug_files.c       find the file with the debug information of a module, by its build ID
 *   debug_files_none.c  debug information in a library that was built without libdw
 *   debug_info.c        functions and lines of machine code, from one file with debug information
 *   demangle.c          the names of C++ and Rust as their programmers wrote them
 *   libdw.c             load elfutils' libdw when debug information is first asked for
 *   rust.c              symbols of Rust
 *   rust_old.c          symbols of Rust as compilers made them until 2025
 *   shown.c             put together what a mangled name stands for
 *   symbol_table.c      the functions in the symbol table of an ELF file
 *
 * lib/read: the public reader
 *   chunk_count.c       count the events of one chunk by their types, without loading it
 *   chunk_crew.c        several threads work on the chunks of a source
 *   chunk_overlaps.c    chunks of the same time, whose events are not in order
 *   chunk_riders.c      several who look at the chunks of a source ride in one pass
 *   chunk_source.c      the chunks of a recording, for all that consumes them
 *   chunk_task.c        a chunk with all that a thread needs to work on it alone
 *   code_method.c       what a method is called that may be a function of C++ or Rust
 *   code_name.c         what the functions of native programs are called
 *   event.h             an event of a chunk that is in memory
 *   open.c              open what is to be read: files, descriptors, memory, directories
 *   reader.c            the public reader: an iterator over events
 *   repository.c        read the chunk files of a repository
 *   select.c            select event types by --events and --categories
 *   summary.c           count the events of each type and their bytes
 *   summary_crew.c      several threads count the events of a recording's chunks
 *   types.c             the public view of types, fields and annotations
 *   value.c             typed access to the fields of an event
 *   where.c             select events by an expression over their fields
 *   where_compile.c     compile the tree of an expression for one event type
 *   where_literal.c     parse numbers, sizes, durations and times in an expression
 *   where_parse.c       parse the text of an expression into a tree
 *   where_program.h     an expression made for one event type
 *   where_run.c         evaluate a compiled expression on an event
 *
 * lib/write: the public writer
 *   chunk_writer.c      write one chunk from start to end
 *   pool_writer.c       collect and write the constants of one type
 *   writer.c            the public writer: recordings with event types of your own
 *   writer_types.c      the types that the public writer declares
 *
 * lib/print: documents made from events
 *   build.c             compile output templates, one per type and indentation
 *   cells.h             the texts of single values, as CSV has them in its cells
 *   columns.c           the columns that the fields of an event type make in a table
 *   constant.c          format constants once, and cache their text
 *   contexts.c          track the contextual events that are open on each thread
 *   count.c             the number of events that are selected, and nothing else
 *   csv.c               print --csv and --tsv: a table of one event type, or single cells
 *   fields.c            select fields by --fields
 *   formats.c           the table of output formats, and what goes with which
 *   java.c              format threads, classes, methods and stack frames
 *   jdk_heap.c          reproduce the order in which the JDK's tool prints events
 *   json.c              print --json, byte for byte as JDK 25
 *   json_text.c         helpers for both JSON formats
 *   metadata_text.c     print types as Java declarations, as `jfr metadata` of JDK 25
 *   ndjson.c            print --ndjson: one event per line, jfrec-ndjson(5)
 *   ndjson_value.c      format values for --ndjson: jfrec-ndjson(5)
 *   print.c             print a recording, chunk by chunk
 *   printer.c           print single events as they arrive
 *   render.c            run output templates to turn events into text
 *   selected.c          select the events to print
 *   templates.h         the templates of a chunk's types, made on first use
 *   text.c              print and print --exact, byte for byte as JDK 25
 *   times.c             format the timestamps and durations of events
 *   top.c               print the events with the largest or smallest values of a field
 *   window.c            print events in order of time across chunks
 *   xml.c               print --xml, as JDK 25
 *
 * lib/tables: events as tables, and as Arrow
 *   arrow.c             the rows of a table as a stream of Arrow's C stream interface
 *   arrow_array.c       the rows of a batch in Arrow's C data interface
 *   arrow_frames.c      lists of frames in Arrow's C data interface
 *   arrow_parts.c       what arrays of Arrow are made from
 *   arrow_schema.c      the types of columns in Arrow's C data interface
 *   batch.c             rows as columns: what Parquet files and Arrow arrays are made from
 *   columns.c           the columns of an event type, in one chunk and over all of them
 *   filler.c            put rows of a table into a batch
 *   frame_lists.c       the stack traces of a column as lists of frames, each different frame once
 *   labels.c            what no recording knows: given, or found in the names of files
 *   places.c            which file a row goes to
 *   rows.c              a pass over the rows of some tables, pulled one after the other
 *   tables.c            the tables of a recording: the union of the types of all its chunks
 *   values.c            from the slots of an event to the values of its table's columns
 *
 * lib/parquet: tables in files of Parquet
 *   encode.c            the encodings of numbers in Parquet's pages
 *   export.c            the tables of a recording as a directory of Parquet files
 *   parquet.c           write tables as Apache Parquet
 *   parquet_column.c    one column of a Parquet file
 *   parquet_frames.c    lists of frames in a Parquet file: a column for each part of the frames
 *   parquet_page.c      the pages of a Parquet file, compressed
 *   table_file.c        a Parquet file that gets the rows of one table
 *   thrift.c            write structs of Apache Thrift in its compact protocol
 *
 * lib/sql: tables in SQLite
 *   sqlite.c            SQL: statements, and what they must not do
 *   sqlite_allowed.c    SQL: the functions that statements may use
 *   sqlite_events.c     SQL: the table `events`, which has a row for each event of any type
 *   sqlite_file.c       write tables into a SQLite database
 *   sqlite_functions.c  SQL: functions for stack traces, times and percentiles
 *   sqlite_library.c    load SQLite when it is first asked for
 *   sqlite_names.c      SQL: the tables that a statement names
 *   sqlite_none.c       SQL in a library that was built without SQLite
 *   sqlite_rows.c       rows of a table that are read again and again, in memory
 *   sqlite_table.c      SQL: each event type as a virtual table
 *   sqlite_texts.c      texts of rows that are kept as long as a statement runs, each once
 *   sqlite_vfs.c        a database in a file that is open, and has no name
 *
 * lib/bindings/python/src: the Python package, which is built by itself
 *   answers.c           what a recording is asked: its summary, its stacks, views and queries
 *   jvms.c              the JVMs of this host, and recording one of them
 *   module.c            the extension module: opening recordings, exceptions, warnings
 *   tables.c            the tables of a recording: columns, rows, and streams of Arrow
 *
 * lib/metrics: numbers made from events
 *   family.c            the table of metrics, and the events they are computed from
 *   metrics.c           compute metrics from the events of a JVM
 *   openmetrics.c       write metrics in the OpenMetrics 1.0 format
 *
 * lib/settings: recording settings
 *   check.c             check the values in settings for mistakes, without a dictionary
 *   element.c           the element tree that holds settings
 *   evaluate.c          compute setting values from control elements
 *   file.c              read a file that only the user or root can have written
 *   formats.h           readers and writers of the two formats of settings
 *   from_yaml.c         read settings from YAML: jfrec-settings(5)
 *   grammar.c           the elements and attributes that settings consist of
 *   jfc_read.c          read settings from .jfc files
 *   jfc_write.c         write settings as .jfc, byte for byte as `jfr configure`
 *   libxml2.c           load libxml2 when the first .jfc file is read
 *   method_filter.c     check filters of methods, as jdk.MethodTiming and jdk.MethodTrace take them
 *   model.h             the inside of struct jfrec_settings
 *   rows.c              list settings and options as rows
 *   set.c               change settings by the rules of `jfr configure` of JDK 25
 *   settings.c          create, read, merge and write recording settings
 *   timespan.c          parse and format durations in settings, such as "20 ms"
 *   to_yaml.c           write settings as YAML: jfrec-settings(5)
 *   yaml.c              read small YAML documents strictly
 *   yaml_out.c          write YAML
 *
 * lib/dictionary: what each version of the JDK can record
 *   check_names.c       check the names in settings against the events that JDKs have
 *   declare.c           build the event types of a JDK version from the dictionary
 *   dictionary.c        look up events, settings and the JDK versions that have them
 *   embed.c             turn data files into C source at build time
 *   embedded.h          the files of settings/ in the library
 *   nodes.c             parse the dictionary file into nodes
 *   options.c           the options of the JDK's own settings, for settings that do not have them
 *   profile.c           the settings profiles that are built into the library
 *   texts.c             the descriptions of events, written for this project
 *
 * lib/query: questions about events, and the tables that answer them
 *   aggregate.c         what a column knows of a group
 *   answer.c            tables as a caller sees them: jfrec/query.h
 *   bag.c               values that are kept to the end
 *   cell.c              one cell of a table as lines of equal width
 *   cell_text.c         the text of a value, as its column shows it
 *   field.c             a field of an event type, by its name in a query
 *   formula.c           arithmetic on numbers, and what its result is
 *   getter.c            from the slots of an event to the value of a field, in one chunk
 *   groups.c            the groups of GROUP BY, by their keys
 *   known.c             threads, classes, methods and stack traces as objects
 *   layout.h            tables and forms as lines of text, in the JDK's manner
 *   layout_form.c       the first row of a table, a line for each column
 *   layout_query.c      a query as text again, broken into lines: --verbose
 *   layout_table.c      a table as lines of text, in the JDK's manner
 *   lex.c               the words of a query
 *   list.h              lists that grow in an arena
 *   listeners.c         which columns of a query the events of a type feed
 *   node.c              a struct that is being looked at, in an event or among constants
 *   object_text.c       how objects look in a cell, and Java's hash codes of them
 *   objects.c           texts, threads, classes, methods and stack traces that values refer to
 *   parse.c             the text of a query, taken apart
 *   parse_item.c        the expressions of a query: fields, functions, arithmetic
 *   parser.h            what the parts of the parser share
 *   partial.c           what a query knows after some events
 *   query.c             queries that are asked of one recording: jfrec/query.h
 *   resolve.c           what a query means for the event types of a recording
 *   ride.h              queries for those who ask other things of a recording, too
 *   run.c               queries, asked of a recording in one pass over its chunks
 *   schema.c            the event types of a recording, by which queries are resolved
 *   star.c              the columns of SELECT *
 *   suggest.c           what the JDK says about names of types and fields that are not there
 *   table.c             what a query found: rows of values, in their order
 *   text.c              UTF-8 text that is measured and ordered as Java does
 *   value.c             what is in a cell: its order, and when two are one
 *   views.c             queries with names, from files such as settings/views/jdk.views
 *   walk_path.c         following a path through structs and constants
 *   worker.c            the queries, asked of the events of one chunk
 *
 * lib/page: pages of HTML, JSON piece by piece
 *   document.c          a page of HTML that needs nothing but a browser
 *   json_out.c          write JSON piece by piece
 *   markup.c            text for HTML and SVG
 *   shown.h             which characters of a recording a page must not have as they are
 *
 * lib/stacks: weighted call trees of events, and their formats
 *   chains.c            what keeps an object alive: from a root of the collector to the object
 *   classify.c          what a thread was doing, by the frames of its stack
 *   coarsen.c           fewer samples, as jfrconv's --grain makes them
 *   collapsed.c         stacks as lines: "main;Shop.sell;HashMap.put 17"
 *   colour.c            the colours of frames
 *   difference.c        compare the profiles of two recordings
 *   firefox.c           profiles for the Firefox Profiler: its processed format, version 70
 *   firefox_collect.c   threads, samples, markers and frames for the Firefox Profiler
 *   first_samples.c     what the first allocation sample of each thread may weigh
 *   formats.c           the table of formats that profiles are written in
 *   frame_names.c       the names of classes and methods in frames
 *   frames.c            the frames of all stacks, each kept once
 *   gather.c            the events of one chunk, added up by stack, thread and class
 *   gather_end.c        the rows of one chunk, as weighted stacks
 *   gather_parts.h      what is known of a chunk while its events are gathered
 *   html.c              flame graphs as one page that needs nothing but a browser
 *   html_times.c        when the stacks of a page were seen
 *   java_regex.c        regular expressions of Java, as far as POSIX has the same
 *   leaks.c             blocks of native memory that were not freed
 *   markers.c           what lasts a while (collections, locks) and what is measured, over time
 *   merge.c             from the rows of chunks to trees
 *   methods.c           what each method weighs: alone, and with all that it calls
 *   name_set.c          texts that are each kept once, under small numbers
 *   otlp.c              profiles as OpenTelemetry transports them (ProfilesData of OTLP)
 *   own_kinds.c         mistyped names of a type, and of the field that its events are weighed by
 *   page.h              the style, the elements and the script of pages
 *   period.c            how much time or memory a sample stands for
 *   pprof.c             profiles as pprof reads them: profile.proto, compressed by gzip
 *   protobuf.c          write messages of Protocol Buffers
 *   prune.c             keep trees within their budget: what is light becomes [other]
 *   sample_list.c       each sample, in few bytes: for formats that show them all
 *   sample_types.c      what readers of pprof and OTLP call the numbers of a profile
 *   sources.c           which events make which profile, and what they weigh
 *   stacks.c            the profiles of one or two recordings: options, reading, results
 *   svg.c               a flame graph as a still picture, for tickets and for paper
 *   text.c              print the heaviest methods and paths of a profile
 *   times.c             when stacks were seen, in little memory
 *   traces.c            the stack traces of one chunk, each worked out once
 *   translate.c         from the book of one chunk to that of all
 *   tree.c              a weighted call tree
 *   tree_json.c         profiles as JSON: jfrec-stacks(5)
 *   unseen.c            what a profile does not show, as exported files say it
 *   walk.c              visit the nodes of a call tree, children in the order of their names
 *   weight_text.c       weights for people: "24.9 s", "30.7 GB", "1,243"
 *   within.c            when threads were in a traced method or tagged span
 *
 * lib/analyze/rules: one question each
 *   allocation_site.c   who allocates, and is it more than the machine bears?
 *   buffers_lost.c      did the JVM lose events?
 *   certificates.c      are certificates weak, or do they expire?
 *   class_loader_leak.c are there more and more class loaders of one class?
 *   class_loading.c     does loading of classes take long, and are some loaded over and over?
 *   class_redefinition.c do agents keep changing classes while the program runs?
 *   code_cache.c        did the compiler stop for lack of room?
 *   compiler.c          does the JIT compiler keep up, or compile and throw away?
 *   container_cpu_view.c does the JVM size itself for the processors that it has?
 *   container_memory.c  how near is the container to the memory limit that kills it?
 *   container_swap.c    was memory swapped out while the JVM ran?
 *   container_throttled.c did the kernel stop the JVM, because its CPU quota was used up?
 *   cpu_by_purpose.c    how much of the CPU goes to logging, parsing, compression and the like?
 *   cpu_load.c          is the JVM short of processors, or do others take them?
 *   crash.c             did the JVM die?
 *   deadlock.c          do threads wait for each other, so that none of them ever runs again?
 *   debugger_open.c     can anyone on the network debug this JVM?
 *   deprecated_calls.c  what of this program will not run on a later JDK?
 *   deserialization.c   are objects read from streams without a filter?
 *   direct_buffers.c    are direct buffers near their limit?
 *   event_loop_blocked.c do event loops stand still, and all of their connections with them?
 *   exceptions.c        is something failing, or are exceptions used to get about?
 *   file_wait.c         is storage slow, or asked too often?
 *   finalizers.c        does code depend on finalization, which will be removed?
 *   gc_asked.c          who asks for collections: System.gc(), tools, sections of native code
 *   gc_evacuation_failed.c did young collections find no room for what survives?
 *   gc_frequency.c      is the heap, or the young generation, so small that collections never rest?
 *   gc_full.c           did the collector fall back to a full stop-the-world collection?
 *   gc_heap_unused.c    could the heap be smaller? Never more than a note.
 *   gc_humongous.c      do objects of half a region and more make G1 collect?
 *   gc_options.c        does the collector fit the machine?
 *   gc_parallelism.c    do the threads of the collector get processors?
 *   gc_pause_longest.c  how long was the worst stop for a collection, or the worst row of stops?
 *   gc_pause_share.c    what share of time did collections stop the application?
 *   gc_pause_target.c   does G1 keep its target for pauses?
 *   gc_safepoint_entry.c do threads come late to safepoints, where all the others wait for them?
 *   gc_shenandoah_degenerated.c did Shenandoah have to stop the application to finish its work?
 *   gc_stall.c          did the concurrent collector lose the race against the application?
 *   gc_zgc_stall.c      did threads wait for memory, because ZGC came too late?
 *   halts_share.c       what share of time was the application stopped by anything?
 *   heap_exhausted.c    did the JVM run out of heap?
 *   heap_too_small.c    is the heap too small for what the program keeps?
 *   host_cpu.c          which other processes took the processors?
 *   host_disk.c         is a disk full to which the JVM writes?
 *   host_memory.c       how near is the JVM to the limit at which the kernel kills?
 *   host_oom_kill.c     did the kernel kill a process beside the JVM for want of memory?
 *   host_throttled.c    did the kernel stop the JVM, by what its control groups count?
 *   hot_method.c        which method would pay most to optimize?
 *   interpreted_only.c  do flags keep the JVM from compiling as well as it can?
 *   jvm_facts.c         what is to be known of the JVM itself: its version, its agents, its place
 *   kernel_time.c       does the JVM spend more time in the kernel than in its own code?
 *   leak_holder.c       who keeps the objects that are kept?
 *   live_set_growth.c   does what stays in use grow until the heap is full?
 *   lock_contention.c   which lock costs most?
 *   metaspace_growth.c  do classes fill metaspace?
 *   native_library.c    did a native library fail to load?
 *   native_memory.c     does memory outside of the heap grow?
 *   options.c           are flags on the command line without effect, unsafe, or given twice?
 *   physical_memory.c   is the machine out of memory?
 *   pool_wait.c         do threads wait long for a pool, or for the work of others?
 *   process_start.c     does the JVM start other processes, and how often?
 *   recorder_overhead.c what does Flight Recorder itself cost here?
 *   recording_damaged.c is all there of what was recorded?
 *   recording_settings.c do the settings of the recordings fit what they are for?
 *   recording_short.c   was it recorded for long enough?
 *   sampling_double.c   do two samplers run at once?
 *   sampling_few.c      are there enough samples to say where the time goes?
 *   sampling_intrinsics.c is time of copies and crypto shown as time of their callers?
 *   sampling_latency.c  how long does a thread take to answer the sampler?
 *   sampling_lost.c     how many CPU-time samples were lost, failed, or came later than asked for?
 *   sampling_reached.c  how many samples should there be, and how many are there?
 *   secrets.c           does the recording hold passwords or tokens?
 *   security_properties.c did the program change how the JDK protects it?
 *   settings_costly.c   are frequent events recorded without a threshold?
 *   socket_wait.c       which peer is slow?
 *   stack_depth.c       are stack traces cut, so that what lies below is not seen?
 *   thread_growth.c     are there more and more threads, or always new ones?
 *   tls.c               are connections made with a TLS that is too old, or too weak?
 *   vm_operation_longest.c which VM operation stopped everything longest?
 *   vthread_many.c      do more virtual threads begin than end?
 *   vthread_pinned.c    do virtual threads block the threads that carry them?
 *   vthread_submit_failed.c was a virtual thread refused by its scheduler?
 *
 * lib/edit: recordings made from recordings
 *   assignment.c        tell whether what stands beside the name of a secret is one
 *   chunk_list.c        list the chunks of several recordings in order of time
 *   code_frames.c       stack traces of native programs, written again with names and lines
 *   code_modules.c      the modules of native programs, and what their debug information knows
 *   common_word.c       tell words as people and programs write them
 *   copy.c              copy chunks unchanged into the output
 *   distinct.c          tell which texts are worth searching for elsewhere
 *   encoded.c           find secrets that are encoded in other texts
 *   event_predicate.h   decide which events stay
 *   filter.c            copy selected events into a new recording
 *   findings.c          count what was redacted, by event type, field and rule
 *   hunted.c            what of a text that a rule takes away is searched for elsewhere
 *   intern.c            merge the constants of several chunks, each stored once
 *   jvm_groups.c        group chunks by the JVM that wrote them
 *   merge.c             merge recordings into one
 *   placeholder.c       recognise what stands in the place of a secret
 *   random_text.c       find letters and digits that no person chose
 *   recode.c            re-encode values with new constant ids and a new clock
 *   redact.c            remove secrets from the strings of events and constants
 *   redact_array.c      remove secrets from arrays of bytes and other numbers
 *   redact_cache.c      remember how each text was redacted
 *   redact_constants.c  which constants are secret for the fields that lead to them
 *   redact_metadata.c   remove secrets from metadata
 *   redact_text.c       redact one text, wherever it occurs
 *   redact_words.c      find passwords in lists of texts that are command lines
 *   renumber.c          give the types of a JVM new ids
 *   repack.c            rewrite several chunks of one JVM as one chunk
 *   repair.c            make a valid recording from a damaged one
 *   report.h            what was filtered, with the list of its event types
 *   rewrite.c           write a chunk again with some of its events
 *   rule_paths.c        find which scrub rules apply to which strings of a chunk
 *   rule_set.h          a set of scrub rules, by their numbers
 *   rules.c             match texts against scrub rules, and replace what matches
 *   rules_builtin.c     the sets of scrub rules that are built in
 *   rules_file.c        read scrub rules from a file
 *   rules_words.c       skip the scrub rules that cannot match a text
 *   scrub.c             remove secrets from a recording
 *   secret_forms.c      find secrets that are known by nothing but their form
 *   secret_name.c       recognise names of what is secret
 *   secret_words.c      recognise names and values that look like secrets
 *   shown_secrets.c     texts of a recording as people are shown them, without what is secret
 *   split.c             split a recording into several files at chunk boundaries
 *   symbolize.c         name the frames of native programs by their debug information
 *   tally.c             count the events kept and dropped, by type
 *   text_set.c          search bytes for any text of a set
 *   verify.c            check that no redacted text is left in the output
 *
 * lib/cost: the space that recordings take
 *   active.c            find the settings that were in force in a recording
 *   change.c            apply trial settings, and find the events that would stay
 *   cost.c              measure the space that each event type takes in a recording
 *   cost_rates.c        extrapolate the size of one recording to an hour or a day
 *   cost_scenario.c     compute the size of a chunk without the events that changes drop
 *   needs.c             find which event types of a chunk use which constants
 *   squeeze.c           measure how well bytes compress
 *
 * lib/analyze: rules, and what they find in recordings
 *   allocated.c         how much a JVM allocated, as each kind of event tells it
 *   arguments.c         the arguments of the JVM, word by word
 *   asking.c            which rules there are, which of them are asked, and by which limits
 *   causes.c            which finding explains which, and the verdict in one sentence
 *   chunk_view.c        the events of one chunk, as rules see them
 *   collect.c           what rules keep of events: spans, values over time, sums by what they share
 *   collectors.c        names of collectors, causes of collections, flags, processors
 *   container.c         what the rules for containers share
 *   crowd.c             how many threads waited for the same thing at once, where that was worst
 *   dumps.c             threads at the same place in the first and the last thread dump
 *   engine.c            run all rules in one pass over the chunks of recordings
 *   evidence.c          the pieces that show why a rule says what it says
 *   facts.c             facts about a JVM and its machine that several rules need
 *   heap.c              is the heap large enough for what stays in use?
 *   host.c              what the rules of the host share
 *   judge.c             what a rule says of a JVM: severity, score, sentences
 *   libraries.c         whose a method is: the JDK's, a known library's, or the application's
 *   missing.c           why a rule cannot judge: events missing, off, or unknown to this JDK
 *   name_book.c         the texts, stacks and threads of an analysis, each with a number
 *   overlaps.c          waits of one thread that overlap, which shows that the clock jumped
 *   own.c               judge by a rule that a user wrote: events in groups, each measured
 *   own_read.c          read rules that a user wrote in YAML, and check them
 *   processors.c        how many processors there are, and how busy they were
 *   readings.c          what periodic events read off several counters at once
 *   rule.h              what a rule is, what it sees of events, and how it says what it found
 *   rules.c             the table of all rules, in the order of `jfrec analyze --list`
 *   samples.c           what the rules on the profile itself share
 *   stacks.c            what rules ask of stack traces: whose method is on top, how deep they are
 *   standing.c          threads that stand in native methods, as samples of these show
 *   types.c             facts about event types: declared, enabled, thresholds, counts
 *   untold.c            what an outage would need and a recording does not tell
 *   waiting.c           what a thread waits for, and for whom, as its stack says
 *   words.c             numbers, times and sizes as findings write them
 *
 * lib/report: a recording on one page
 *   axis.c              the time axis that all strips of all JVMs share, in columns
 *   axis_page.c         the times below the strips of the page
 *   chart.c             a strip of the timeline as SVG
 *   document.c          the report as JSON: jfrec-report(5)
 *   figures.c           the numbers that are shown first
 *   findings.c          what is wrong, at the top of the page
 *   grid.c              tables and forms of the page
 *   head.c              what was recorded, where, when, and what is missing of it
 *   heat.c              what each thread did when, in bounded memory
 *   heat_page.c         threads of the page: what each did when, as strips and as a table
 *   history.c           a value over time, in bounded memory, of which no extreme is lost
 *   html.c              markup and texts of the page
 *   look.c              what was read, as those who write it ask for it
 *   markdown.c          the report as Markdown, for chats and tickets
 *   numbers.c           numbers and times for people
 *   page.c              the page: its sections, in their order
 *   pauses.c            how long collections stop the application: a histogram
 *   reasons.c           why something is not in the report, as a list
 *   recorded.c          what was recorded, where, when, and what is missing of it, in words
 *   report.c            read a recording, once, for all that a report has
 *   strip_page.c        the timeline of the page: strips, and what the script needs
 *   strips.c            the values of the timeline: which events they come from
 *   tables.c            which tables a report has
 *   texts.c             texts as people are shown them: without secrets, and not too long
 *   timeline.c          the values of a JVM over time, cut into the columns of a picture
 *
 * lib/attach: talking to a JVM
 *   cleanup.c           files and directories to remove when a session ends
 *   exchange.c          send one request to a JVM and read its reply
 *   handshake.c         make a JVM listen, and connect to it
 *   helper.c            start the helper process and send it requests
 *   helper_main.c       the main loop of the helper process
 *   needs.c             what a command makes a JVM create
 *   session.c           a session with one JVM: connect, run commands, clean up
 *   trace.c             report each step to the caller, for -v
 *   wire.c              encode and decode HotSpot's attach protocol, without any I/O
 *
 * lib/jfr: Flight Recorder in a JVM
 *   check.c             list the recordings of a JVM: JFR.check
 *   collector.c         ask a JVM for the garbage collector that it runs with
 *   configure.c         change the options of Flight Recorder: JFR.configure
 *   diagnostic.c        run any diagnostic command, and recognise its failures
 *   disk_space.c        check that the JVM's disks have room for a dump
 *   dump.c              make a JVM dump a recording, and fetch it: JFR.dump
 *   dump_fetch.c        check that a dump is complete, and copy it out
 *   heap.c              make a JVM write a heap dump, and fetch it
 *   heap_check.c        is a heap dump whole?
 *   jfr.c               what the JFR commands share; the version of a JVM
 *   lease.c             a recording in a JVM that ends when this process does
 *   option.c            names, types and limits of the options of JFR commands
 *   quote.c             quote arguments of diagnostic commands
 *   recordings.c        parse the list of recordings that JFR.check prints
 *   reply.c             classify the replies of JFR commands
 *   sampler.c           look for the threads with which a JVM takes samples
 *   stack_depth.c       let stack traces be deeper than the JDK's 64 frames
 *   start.c             start a recording: JFR.start
 *   stop.c              stop a recording: JFR.stop
 *
 * lib/stream: events as a JVM records them
 *   flush_clock.c       predict when a JVM flushes next
 *   follow.c            follow a repository from one chunk file to the next
 *   followed.c          one of many sources that are followed: its streams, its turn
 *   pending_chunks.c    keep new chunk files open until they are read
 *   stream.c            the public iterator over events that a JVM is recording
 *   streams.c           many JVMs, directories and files followed at once
 *   tail.c              read the end of a chunk file while a JVM writes it
 *
 * lib/doctor: why a JVM cannot be attached to or recorded
 *   cleaner.c           check whether systemd-tmpfiles would remove attach sockets
 *   crash_files.c       the files that a crashing JVM leaves
 *   crashes.c           name what JVMs left that crashed or were killed
 *   diagnosis.c         collect findings in a growing list
 *   host.c              check what on this host, and in our rights, affects attaching
 *   jvm.c               check from outside what affects attaching to a JVM
 *   recorder.c          check whether a JVM replies, and assess its recordings
 *   watched.c           the public view of what the host shows of a JVM while it is recorded
 *
 * cli/sql: answers of `jfrec sql`
 *   rows.c              print what SQL answers
 *   tables.c            list the tables that SQL sees
 *
 * cli/view: tables of `jfrec view`
 *   cells.c             print cells of tables for programs: JSON, CSV
 *   columns.c           a list of words in columns, as `jfr` prints its views
 *   every.c             show a view of a running JVM again and again
 *   lists.c             lists of views and of event types, for programs
 *   own_views.c         the views that a user wrote
 *   rows.c              print tables of views for programs: JSON, NDJSON, CSV
 *   screen.c            show text in place on a terminal, and wait for keys and signals
 *   show.c              show views of a recording
 *   view_opts.c         options of the commands that answer with tables
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/command.h"
#include "base/config.h"
#include "base/dump.h"
#include "base/hints.h"
#include "base/report.h"
#include "base/typo.h"
#include "jdk/called_as.h"

static const struct command *const commands[] = {
	&cmd_print,
	&cmd_summary,
	&cmd_view,
	&cmd_query,
	&cmd_sql,
	&cmd_metadata,
	&cmd_flame,
	&cmd_analyze,
	&cmd_diff,
	&cmd_report,
	&cmd_export,
	&cmd_filter,
	&cmd_merge,
	&cmd_split,
	&cmd_repair,
	&cmd_scrub,
	&cmd_symbolize,
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
	      "Record JVMs, and read, analyse and rewrite their recordings, without a JDK.\n"
	      "\n"
	      "Commands:\n",
	      to);
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(to, "  %-12s%s\n", commands[i]->name, commands[i]->summary);
	fputs("  help        explain a command\n"
	      "\n"
	      "Options:\n"
	      "      --config FILE         read default values from FILE as well\n"
	      "      --no-config           read no configuration files\n"
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

/*
 * What changes a JVM is suggested only for what begins as it does: `top` asks for something to look
 * at, and `stop` ends a recording.
 */
static bool may_be_meant(const struct command *c, const char *word)
{
	static const struct command *const changing[] = { &cmd_configure, &cmd_start, &cmd_stop };

	for (size_t i = 0; i < sizeof(changing) / sizeof(*changing); i++) {
		if (c == changing[i])
			return *word == *c->name;
	}
	return true;
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
		for (size_t i = 0; i < COMMAND_COUNT; i++) {
			if (may_be_meant(commands[i], word))
				typo_offer(&t, commands[i]->name);
		}
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
	static const char text[] = "jfrec: the recording was truncated while it was being read\n";

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
	if (is_called(argv[0], "jfrconv"))
		return as_jfrconv(argc, argv);
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
	/* Not in --help: tests compare the lists that are written by hand with it. */
	if (strcmp(argv[1], "--dump-options") == 0)
		return dump_options(commands, COMMAND_COUNT);
	c = find_command(argv[1]);
	if (c)
		return c->run(c, argc - 1, argv + 1);
	return hints_first_word(argc - 1, argv + 1) ? EXIT_USAGE : unknown_word(argv[1]);
}
