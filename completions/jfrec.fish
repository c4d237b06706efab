# fish completion for jfrec(1)
#
# tests/cli/completions.py makes what stands between "Made by" and "End of"; the rest is written by
# hand.

# Names of files, JVMs and recordings are whatever somebody chose to call them: the lines that a
# function prints are offered as they are, never expanded.  tests/cli/completion.py tries it.

function __jfrec_recordings
    __fish_complete_suffix .jfr | string match -r '^[^\t]*(?:\.jfr(?:\.gz|\.zst|\.lz4|\.xz|\.bz2)?|\.zip|\.tgz|\.tar(?:\.gz|\.zst|\.xz|\.bz2)?|/)(?:\t.*)?$'
end

function __jfrec_jvms
    jfrec list 2>/dev/null | awk '$1 ~ /^[0-9]+$/ { gsub(/[^A-Za-z0-9._\/-]/, "?", $NF); print $1 "\t" $NF }'
end

function __jfrec_rules
    jfrec analyze --list 2>/dev/null | string replace -r ' .*' ''
end

function __jfrec_settings
    jfrec settings list 2>/dev/null | awk '$1 !~ /[^A-Za-z0-9._-]/ { print $1 }' | sort -u
end

# The event types of the recording in front of the cursor, or, without one, those that JDKs have;
# without jdk. where what was typed begins without it.  What they are called is up to the recording:
# only plain names.
function __jfrec_event_names
    set -l from --jdk 25
    for word in (commandline -op | string match -r '^.*\.jfr(?:\.gz|\.zst|\.lz4|\.xz|\.bz2)?$')
        test -f "$word"
        and set from (string replace -r '^-' ./- -- $word)
    end
    set -l names (jfrec metadata $from 2>/dev/null | awk -F'"' '
        /^@Name/ { name = $2 }
        / extends jdk.jfr.Event/ && name !~ /[^A-Za-z0-9_.$]/ { print name }')
    if string match -qr '(^|[,=])[A-Z]$|(^|[,=])[A-Z][^,=]*$' -- (commandline -ct)
        set names (string replace -r '^jdk\.' '' -- $names)
    end
    string join \n -- $names
end

# A list separated by commas, of which the last name is being typed.
function __jfrec_events
    set -l before (string replace -r '^--?[a-z-]+=' '' -- (commandline -ct) | string match -r '^.*,')
    for name in (__jfrec_event_names)
        echo "$before$name"
    end
end

function __jfrec_set
    for name in (__jfrec_event_names)
        echo $name'#'
    end
end

# The recordings of the JVM whose pid is on the command line: it is asked, for two seconds at most.
function __jfrec_names
    set -l pid (string match -r '^[0-9]+$' -- (commandline -opc))[-1]
    test -n "$pid"
    and jfrec check --timeout 2s $pid 2>/dev/null | awk '$1 ~ /^[0-9]+$/ { sub(/^ *[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +/, ""); print }'
end

function __jfrec_zones
    echo UTC
    awk '$1 == "Z" { print $2 } $1 == "L" { print $3 }' /usr/share/zoneinfo/tzdata.zi 2>/dev/null
end

# What HotSpot of JDK 8 to 28 has; `jfrec jcmd PID help` shows those of one.
function __jfrec_diagnostic
    string join \n -- \
        AOT.end_recording Compiler.codecache Compiler.codelist Compiler.directives_add \
        Compiler.directives_clear Compiler.directives_print Compiler.directives_remove \
        Compiler.memory Compiler.perfmap Compiler.queue GC.class_histogram GC.class_stats \
        GC.finalizer_info GC.heap_dump GC.heap_info GC.rotate_log GC.run \
        GC.run_finalization JFR.check JFR.configure JFR.dump JFR.start JFR.stop JFR.view \
        JVMTI.agent_load JVMTI.data_dump ManagementAgent.start \
        ManagementAgent.start_local ManagementAgent.status ManagementAgent.stop \
        System.dump_map System.map System.native_heap_info System.trim_native_heap \
        Thread.dump_to_file Thread.print Thread.vthread_pollers Thread.vthread_scheduler \
        VM.cds VM.class_hierarchy VM.class_print_layout VM.classes VM.classloader_stats \
        VM.classloaders VM.command_line VM.dynlibs VM.events VM.flags VM.info VM.log \
        VM.metaspace VM.native_memory VM.print_touched_methods VM.security_properties \
        VM.set_flag VM.stringtable VM.symboltable VM.system_properties \
        VM.systemdictionary VM.unlock_commercial_features VM.uptime VM.version help
end

# The views, and what else can be shown.
function __jfrec_views
    string split -n ' ' (jfrec view views 2>/dev/null | string match ' *')
    string join \n views types all-views all-events
    test -n (commandline -ct)
    and __jfrec_event_names
end

# Is the command one of these?  A sub-command is joined to it: settings-list.
function __jfrec_is
    set -l words (commandline -opc)[2..]
    while test "$words[1]" = --config
        set -e words[1..2]
    end
    set words (string match -v -- '-*' $words)
    set -l name $words[1]
    if contains -- "$name" settings config; and test (count $words) -gt 1
        set name $name-$words[2]
    end
    contains -- "$name" $argv
end

# Is there a word for the JVM before this one?
function __jfrec_has_jvm
    set -l words (string match -v -- '-*' (commandline -opc)[2..])
    test (count $words) -gt 1
end

complete -c jfrec -f

# Made by tests/cli/completions.py: commands
complete -c jfrec -n __fish_use_subcommand -a list -d 'list the JVMs of this host'
complete -c jfrec -n __fish_use_subcommand -a record -d 'record a JVM for a while and fetch the recording'
complete -c jfrec -n __fish_use_subcommand -a start -d 'start a recording in a JVM'
complete -c jfrec -n __fish_use_subcommand -a dump -d 'fetch what a JVM has recorded so far'
complete -c jfrec -n __fish_use_subcommand -a analyze -d 'say what is wrong in a recording, and what to do'
complete -c jfrec -n __fish_use_subcommand -a report -d 'write a page: what is wrong, when, where to look'
complete -c jfrec -n __fish_use_subcommand -a view -d 'show a table that answers a common question'
complete -c jfrec -n __fish_use_subcommand -a flame -d 'draw flame graphs of CPU time, allocation, locks'
complete -c jfrec -n __fish_use_subcommand -a summary -d 'count the events of each type'
complete -c jfrec -n __fish_use_subcommand -a print -d 'print the events of a recording as text, JSON, XML or CSV'
complete -c jfrec -n __fish_use_subcommand -a stop -d 'stop a recording and fetch it'
complete -c jfrec -n __fish_use_subcommand -a check -d 'list the recordings of a JVM'
complete -c jfrec -n __fish_use_subcommand -a configure -d 'show or change the options of Flight Recorder itself'
complete -c jfrec -n __fish_use_subcommand -a doctor -d 'find out why a JVM cannot be attached to or recorded'
complete -c jfrec -n __fish_use_subcommand -a jcmd -d 'run any diagnostic command in a JVM'
complete -c jfrec -n __fish_use_subcommand -a top -d 'show what all JVMs use, at an interval'
complete -c jfrec -n __fish_use_subcommand -a threads -d 'say what the threads of a JVM do, and who waits for whom'
complete -c jfrec -n __fish_use_subcommand -a histogram -d 'count the objects on a JVM\'s heap by class'
complete -c jfrec -n __fish_use_subcommand -a heapdump -d 'fetch a heap dump of a JVM'
complete -c jfrec -n __fish_use_subcommand -a snapshot -d 'take what an incident needs, before a restart'
complete -c jfrec -n __fish_use_subcommand -a query -d 'run a query over the events of a recording'
complete -c jfrec -n __fish_use_subcommand -a sql -d 'run SQL over the events of recordings'
complete -c jfrec -n __fish_use_subcommand -a diff -d 'compare where time and memory went in two recordings'
complete -c jfrec -n __fish_use_subcommand -a trace -d 'show the slowest requests, and what they waited for'
complete -c jfrec -n __fish_use_subcommand -a metadata -d 'print the event types that a recording declares'
complete -c jfrec -n __fish_use_subcommand -a merge -d 'merge recordings into one'
complete -c jfrec -n __fish_use_subcommand -a filter -d 'copy selected events into a new recording'
complete -c jfrec -n __fish_use_subcommand -a split -d 'split a recording into several files'
complete -c jfrec -n __fish_use_subcommand -a scrub -d 'remove passwords, tokens and other secrets'
complete -c jfrec -n __fish_use_subcommand -a repair -d 'make a valid recording from a damaged one'
complete -c jfrec -n __fish_use_subcommand -a symbolize -d 'add names and lines to stacks of native programs'
complete -c jfrec -n __fish_use_subcommand -a stream -d 'print events as JVMs record them'
complete -c jfrec -n __fish_use_subcommand -a watch -d 'report findings in JVMs as they begin and end'
complete -c jfrec -n __fish_use_subcommand -a metrics -d 'measure what JVMs record, for Prometheus and others'
complete -c jfrec -n __fish_use_subcommand -a collect -d 'copy the recordings of many JVMs into one directory'
complete -c jfrec -n __fish_use_subcommand -a export -d 'write events as tables for other engines'
complete -c jfrec -n __fish_use_subcommand -a mcp -d 'let an assistant ask recordings and JVMs'
complete -c jfrec -n __fish_use_subcommand -a settings -d 'show, change, check and compare recording settings'
complete -c jfrec -n __fish_use_subcommand -a config -d 'show the defaults in effect and where they are set'
complete -c jfrec -n __fish_use_subcommand -a help -d 'explain a command, or a topic that `jfrec help topics` lists'
complete -c jfrec -n '__jfrec_is settings' -a list -d 'list the settings that have a name'
complete -c jfrec -n '__jfrec_is settings' -a show -d 'print settings as YAML, .jfc or JSON'
complete -c jfrec -n '__jfrec_is settings' -a set -d 'write settings with changes, as `jfr configure` does'
complete -c jfrec -n '__jfrec_is settings' -a check -d 'find what a JVM would silently ignore'
complete -c jfrec -n '__jfrec_is settings' -a diff -d 'compare two settings'
complete -c jfrec -n '__jfrec_is settings' -a explain -d 'explain an event or a profile'
complete -c jfrec -n '__jfrec_is settings' -a active -d 'show the settings that a recording or JVM uses'
complete -c jfrec -n '__jfrec_is settings' -a cost -d 'show the space each event type takes, and how to save some'
complete -c jfrec -n '__jfrec_is config' -a show -d 'show the defaults in effect'
complete -c jfrec -n '__jfrec_is help' -a 'list record start dump analyze report view flame summary print stop check configure doctor jcmd top threads histogram heapdump snapshot query sql diff trace metadata merge filter split scrub repair symbolize stream watch metrics collect export mcp settings config help cookbook containers engines recorder rules where format ndjson stacks tables topics'
# End of commands

complete -c jfrec -n __fish_use_subcommand -l config -r -F -d 'read defaults of options from FILE, too'
complete -c jfrec -n __fish_use_subcommand -l no-config -d 'read no such files'
complete -c jfrec -n __fish_use_subcommand -s h -l help -d 'show a short help'
complete -c jfrec -n __fish_use_subcommand -s V -l version -d 'show the version'

complete -c jfrec -n '__jfrec_is print summary metadata flame analyze diff report export filter merge split repair scrub symbolize settings-active settings-cost' -a '(__jfrec_recordings)'
complete -c jfrec -n '__jfrec_is view' -a '(__jfrec_views) (__jfrec_recordings)'
complete -c jfrec -n '__jfrec_is query sql' -a '(__jfrec_recordings)'
complete -c jfrec -n '__jfrec_is list heapdump threads histogram start stop check dump record stream watch metrics configure doctor settings-active settings-diff' -a '(__jfrec_jvms)'
complete -c jfrec -n '__jfrec_is jcmd; and not __jfrec_has_jvm' -a '(__jfrec_jvms)'
complete -c jfrec -n '__jfrec_is jcmd; and __jfrec_has_jvm' -a '(__jfrec_diagnostic)'

complete -c jfrec -n '__jfrec_is stream watch metrics' -a '(__fish_complete_directories)'
complete -c jfrec -n '__jfrec_is threads' -a '(__fish_complete_path)'

complete -c jfrec -n '__jfrec_is settings-explain' -a '(__jfrec_settings)' -d 'profile'
complete -c jfrec -n '__jfrec_is settings-explain' -a '(__jfrec_event_names)' -d 'event'
complete -c jfrec -n '__jfrec_is settings-show settings-set settings-check settings-diff' -F
complete -c jfrec -n '__jfrec_is settings-show settings-set settings-check settings-diff' -a '(__jfrec_settings)'

# Made by tests/cli/completions.py: options
complete -c jfrec -n '__jfrec_is list record start dump stop check configure doctor jcmd top threads histogram heapdump snapshot stream watch metrics settings-active' -l container -x -d 'only JVMs in this container'
complete -c jfrec -n '__jfrec_is list record start dump stop check configure doctor jcmd top threads histogram heapdump snapshot stream watch metrics settings-active' -l user -x -a '(__fish_complete_users)' -d 'only JVMs of this user, by name or number'
complete -c jfrec -n '__jfrec_is list' -l all -d 'every JVM that matches; this is the default'
complete -c jfrec -n '__jfrec_is list' -s l -l long -d 'show whole commands, and why attaching fails'
complete -c jfrec -n '__jfrec_is list' -s r -l recordings -d 'attach to each JVM and list its recordings'
complete -c jfrec -n '__jfrec_is list record start dump analyze summary stop check configure doctor jcmd threads histogram heapdump sql diff trace metadata settings-list settings-show settings-check settings-diff settings-explain settings-active settings-cost config-show' -s j -l json -d 'print one JSON document'
complete -c jfrec -n '__jfrec_is list dump stop check configure doctor jcmd threads histogram heapdump stream watch metrics settings-diff settings-active' -l timeout -x -d 'wait this long for each reply, such as 30s'
complete -c jfrec -n '__jfrec_is list record start dump stop check configure doctor jcmd threads histogram heapdump snapshot stream watch metrics settings-diff settings-active' -s v -l trace -d 'report each step on standard error'
complete -c jfrec -n '__jfrec_is list record start dump stop check configure doctor jcmd threads histogram heapdump snapshot stream watch metrics settings-diff settings-active' -l attach-anyway -d 'attach also if that may end the JVM'
complete -c jfrec -n '__jfrec_is list record start dump analyze report view flame summary print stop check configure doctor jcmd top threads histogram heapdump snapshot query sql diff trace metadata merge filter split scrub repair symbolize stream watch metrics collect export mcp settings config settings-list settings-show settings-set settings-check settings-diff settings-explain settings-active settings-cost config-show' -s h -l help -d 'print this help'
complete -c jfrec -n '__jfrec_is record' -s d -l duration -x -d 'record for this long, such as 30s (default: 60s)'
complete -c jfrec -n '__jfrec_is record dump stop heapdump' -s o -l output -r -F -d 'write to FILE, to a name in DIR/, or to - (stdout)'
complete -c jfrec -n '__jfrec_is record dump stop heapdump' -l compress -x -a 'gzip zstd none' -d 'compress by gzip, zstd, or none'
complete -c jfrec -n '__jfrec_is record dump report flame stop heapdump diff merge filter scrub repair symbolize settings-set' -l force -d 'replace FILE if it exists'
complete -c jfrec -n '__jfrec_is record dump report flame stop heapdump diff merge filter scrub repair symbolize settings-set' -l mode -x -a '600 640 644' -d 'permissions of FILE in octal, such as 640'
complete -c jfrec -n '__jfrec_is record start' -s s -l settings -r -F -a 'none (__jfrec_settings)' -d 'a built-in profile, one of the JVM\'s, or a file'
complete -c jfrec -n '__jfrec_is record start' -l set -x -a '(__jfrec_set)' -d 'EVENT#SETTING=VALUE or OPTION=VALUE'
complete -c jfrec -n '__jfrec_is record start stream watch metrics' -l unchecked -d 'accept settings that no JDK has or understands'
complete -c jfrec -n '__jfrec_is record start' -s n -l name -x -d 'name the recording'
complete -c jfrec -n '__jfrec_is record start' -l max-age -x -d 'keep only data younger than this'
complete -c jfrec -n '__jfrec_is record start' -l max-size -x -d 'keep at most this much, such as 250m'
complete -c jfrec -n '__jfrec_is record start dump' -l path-to-gc-roots -d 'find references that keep old objects alive'
complete -c jfrec -n '__jfrec_is record start' -l stack-depth -x -a '160 keep' -d 'frames of stack traces in the first recording'
complete -c jfrec -n '__jfrec_is record start snapshot' -l timeout -x -d 'wait this long for the JVM in all, such as 2m'
complete -c jfrec -n '__jfrec_is start' -s d -l duration -x -d 'stop after this time and write --filename'
complete -c jfrec -n '__jfrec_is start' -l delay -x -d 'start after this time'
complete -c jfrec -n '__jfrec_is start' -l filename -x -d 'file the JVM writes at the end, as the JVM sees it'
complete -c jfrec -n '__jfrec_is start' -l disk -d 'keep events on the JVM\'s disk (default)'
complete -c jfrec -n '__jfrec_is start' -l no-disk -d 'keep events in memory only'
complete -c jfrec -n '__jfrec_is start' -l dump-on-exit -d 'write the recording when the JVM exits'
complete -c jfrec -n '__jfrec_is start' -l flush-interval -x -d 'flush at this interval (JDK 17)'
complete -c jfrec -n '__jfrec_is start dump stop check configure doctor jcmd threads histogram heapdump stream watch metrics settings-active' -l all -d 'every JVM that matches, not just one'
complete -c jfrec -n '__jfrec_is dump' -s n -l name -x -a '(__jfrec_names)' -d 'only this recording, by name or id (default: all)'
complete -c jfrec -n '__jfrec_is dump' -l begin -x -d 'start of the range: 09:30, -10m, 2026-11-20T08:30Z'
complete -c jfrec -n '__jfrec_is dump' -l end -x -d 'end of the range'
complete -c jfrec -n '__jfrec_is dump' -l max-age -x -d 'only data younger than this'
complete -c jfrec -n '__jfrec_is dump' -l max-size -x -d 'about this much at most, such as 50m'
complete -c jfrec -n '__jfrec_is dump' -l from-repository -d 'copy its files on disk, without attaching'
complete -c jfrec -n '__jfrec_is dump' -l full-speed -d 'with --from-repository: do not yield the processor'
complete -c jfrec -n '__jfrec_is dump analyze report view flame summary print query sql diff trace metadata merge filter split scrub repair symbolize stream watch metrics collect export settings-diff settings-active settings-cost' -l max-memory -x -a '256M 512M 1G 2G' -d 'memory limit (default: a quarter of the memory)'
complete -c jfrec -n '__jfrec_is analyze' -l all -d 'also what is ok or has no data, and all evidence'
complete -c jfrec -n '__jfrec_is analyze' -l min-severity -x -a 'info warning' -d 'show no less than these'
complete -c jfrec -n '__jfrec_is analyze watch' -l only -x -a '(__jfrec_rules)' -d 'apply only these rules, separated by commas'
complete -c jfrec -n '__jfrec_is analyze watch' -l ignore -x -a '(__jfrec_rules)' -d 'only count what these rules find'
complete -c jfrec -n '__jfrec_is analyze watch' -l limit -x -a '(__jfrec_rules)' -d 'set a limit: gc-pause-share.warning=20%'
complete -c jfrec -n '__jfrec_is analyze watch' -l limits -r -F -d 'take limits and ignored rules from a YAML file'
complete -c jfrec -n '__jfrec_is analyze watch' -l rules -r -F -d 'also judge by the rules of a YAML file'
complete -c jfrec -n '__jfrec_is analyze' -l baseline -r -F -d 'show only what is new or worse than in this JSON'
complete -c jfrec -n '__jfrec_is analyze' -l fail-on -x -a 'info warning never' -d 'exit with 20 if there is such a finding'
complete -c jfrec -n '__jfrec_is analyze' -l require -x -a '(__jfrec_rules)' -d 'exit with 20 if this rule has no data'
complete -c jfrec -n '__jfrec_is analyze' -l explain -x -a '(__jfrec_rules)' -d 'explain a rule; with RECORDING, as applied to it'
complete -c jfrec -n '__jfrec_is analyze' -l list -d 'list all rules'
complete -c jfrec -n '__jfrec_is analyze' -l ndjson -d 'print a JSON object for each finding'
complete -c jfrec -n '__jfrec_is analyze' -l format -x -a 'text json ndjson markdown sarif junit' -d 'text, json, ndjson, markdown, sarif or junit'
complete -c jfrec -n '__jfrec_is analyze' -l width -x -d 'columns of a line of text (default: the terminal\'s)'
complete -c jfrec -n '__jfrec_is analyze report view flame query sql trace' -l jvm -x -a '(__jfrec_jvms)' -d 'read this JVM: a pid, or a part of its main class'
complete -c jfrec -n '__jfrec_is analyze report view flame query sql' -l max-age -x -a '2m 10m 1h' -d 'for a JVM: read the last TIME (default: 10m)'
complete -c jfrec -n '__jfrec_is analyze report view flame query sql' -l duration -x -a '10s 30s 2m' -d 'for a JVM: record for this long first, such as 30s'
complete -c jfrec -n '__jfrec_is analyze' -s o -l output -r -F -d 'with --duration: keep the recording in FILE or DIR/'
complete -c jfrec -n '__jfrec_is analyze' -l force -d 'replace that FILE if it exists'
complete -c jfrec -n '__jfrec_is analyze report view flame print query sql diff metadata filter scrub stream metrics export' -s e -l events -x -a '(__jfrec_events)' -d 'only events of these types, such as jdk.GC*,CPULoad'
complete -c jfrec -n '__jfrec_is analyze report view flame print query sql diff metadata filter scrub stream metrics export' -s c -l categories -x -d 'only events of a category that matches'
complete -c jfrec -n '__jfrec_is analyze report view flame print query sql diff filter scrub stream metrics export' -l threads -x -d 'only events of threads whose name matches'
complete -c jfrec -n '__jfrec_is analyze report view flame print query sql diff filter scrub stream metrics export' -l exclude-threads -x -d 'no events of threads whose name matches'
complete -c jfrec -n '__jfrec_is analyze report view flame print query sql diff filter scrub stream metrics export' -l where -x -d 'only events that match, such as \'duration > 10ms\''
complete -c jfrec -n '__jfrec_is analyze report view flame print query sql diff filter export' -l during -x -d 'only what threads did during such events'
complete -c jfrec -n '__jfrec_is analyze report view flame print query sql diff filter export' -l outside -d 'with --during: only what they did not do then'
complete -c jfrec -n '__jfrec_is analyze report view flame print query sql trace merge filter scrub export' -l from -x -d 'only events that ended at this time or later'
complete -c jfrec -n '__jfrec_is analyze report view flame print query sql trace merge filter scrub export' -l to -x -d 'only events that began before this time'
complete -c jfrec -n '__jfrec_is analyze report flame print trace stream watch' -l utc -d 'show times in UTC, not in the recording\'s zone'
complete -c jfrec -n '__jfrec_is analyze report flame print trace stream watch' -l tz -x -a '(__jfrec_zones)' -d 'show times in a zone: Europe/Berlin or +05:30'
complete -c jfrec -n '__jfrec_is analyze report view flame summary print query sql diff trace metadata merge filter split scrub repair symbolize export settings-active settings-cost' -l types-from -r -F -d 'read lost event types from this recording'
complete -c jfrec -n '__jfrec_is analyze report view flame summary print query diff trace filter scrub symbolize export' -l jobs -x -d 'threads (default: half of the processors, 4 at most)'
complete -c jfrec -n '__jfrec_is analyze report view flame print query sql diff trace merge filter split scrub export' -l max-spool -x -a '1G 4G 16G' -d 'store at most SIZE of a pipe on disk (default: 4G)'
complete -c jfrec -n '__jfrec_is analyze report view flame summary print query sql diff trace metadata merge filter split scrub repair symbolize export settings-cost' -s v -l trace -d 'report how the kernel confines the command'
complete -c jfrec -n '__jfrec_is report' -s o -l output -r -F -d 'write to FILE (default: named after RECORDING)'
complete -c jfrec -n '__jfrec_is report' -l format -x -a 'html json markdown' -d 'html, json or markdown (default: by FILE)'
complete -c jfrec -n '__jfrec_is report' -s j -l json -d 'print all numbers as one JSON document'
complete -c jfrec -n '__jfrec_is report' -l title -x -d 'the title of the page'
complete -c jfrec -n '__jfrec_is report' -l no-scrub -d 'do not redact secrets'
complete -c jfrec -n '__jfrec_is report' -l environment -d 'show environment variables'
complete -c jfrec -n '__jfrec_is report flame diff' -l max-output -x -a '1G 8G none' -d 'limit of what is written (default: 1000 x the input)'
complete -c jfrec -n '__jfrec_is view query' -l verbose -d 'also show the columns\' fields and the time it took'
complete -c jfrec -n '__jfrec_is view query' -l width -x -d 'width of a line (default: as needed, up to 120)'
complete -c jfrec -n '__jfrec_is view query' -l truncate -x -a 'beginning end' -d 'which end of long texts to omit'
complete -c jfrec -n '__jfrec_is view query' -l cell-height -x -d 'show N lines of a cell at most'
complete -c jfrec -n '__jfrec_is view query' -s j -l json -d 'print one JSON document, values in base units'
complete -c jfrec -n '__jfrec_is view query sql' -l ndjson -d 'print a JSON object for each row'
complete -c jfrec -n '__jfrec_is view query sql' -l csv -d 'print comma-separated values'
complete -c jfrec -n '__jfrec_is view query' -l sort -x -d 'sort by this column; COLUMN:asc, COLUMN:desc'
complete -c jfrec -n '__jfrec_is view query' -l limit -x -d 'show N rows at most'
complete -c jfrec -n '__jfrec_is view query' -l every -x -a '2s 10s 1m' -d 'of a JVM: show it again after each TIME, such as 2s'
complete -c jfrec -n '__jfrec_is view query' -l utc -d 'show times in UTC, not in the local zone'
complete -c jfrec -n '__jfrec_is view query' -l tz -x -a '(__jfrec_zones)' -d 'show times in a zone, as Europe/Berlin or +05:30'
complete -c jfrec -n '__jfrec_is view' -l views -r -F -d 'read views of your own from FILE, too'
complete -c jfrec -n '__jfrec_is view' -l by -x -d 'with latency-of: a row for each value of it'
complete -c jfrec -n '__jfrec_is flame diff' -l profile -x -a 'cpu wall native alloc live holders lock io exceptions native-memory native-leaks trace' -d 'cpu, wall, alloc, lock, io, ... (default: all)'
complete -c jfrec -n '__jfrec_is flame' -l type -x -a '(__jfrec_event_names)' -d 'use any event type with a stack trace'
complete -c jfrec -n '__jfrec_is flame' -l weight -x -d 'with --type: the field to weigh events by'
complete -c jfrec -n '__jfrec_is flame' -l count -d 'count events, instead of time or bytes'
complete -c jfrec -n '__jfrec_is flame' -s o -l output -r -F -d 'write to FILE (.html, .svg, .pb.gz, .json, ...)'
complete -c jfrec -n '__jfrec_is flame' -l format -x -a 'html svg pprof firefox perfetto json collapsed text otlp' -d 'html, svg, pprof, firefox, perfetto, json, text, ...'
complete -c jfrec -n '__jfrec_is flame' -l experimental -d 'also formats that may still change: otlp'
complete -c jfrec -n '__jfrec_is flame' -l sampler -x -a 'cpu-time execution' -d 'with --duration: cpu-time or execution'
complete -c jfrec -n '__jfrec_is flame' -l title -x -d 'the title of a page or picture'
complete -c jfrec -n '__jfrec_is flame' -l top -x -d 'print N methods and paths (default: 20, 30)'
complete -c jfrec -n '__jfrec_is flame' -l least -x -d 'omit frames with a share below this'
complete -c jfrec -n '__jfrec_is flame' -l include -x -d 'only stacks with a frame that matches'
complete -c jfrec -n '__jfrec_is flame' -l exclude -x -d 'only stacks without a frame that matches'
complete -c jfrec -n '__jfrec_is flame' -l by-thread -d 'add the thread as the first frame'
complete -c jfrec -n '__jfrec_is flame' -l lines -d 'show each line of a method separately'
complete -c jfrec -n '__jfrec_is flame' -l bci -d 'show each bytecode index separately'
complete -c jfrec -n '__jfrec_is flame' -l simple -d 'class names without packages'
complete -c jfrec -n '__jfrec_is flame' -l norm -x -a 'yes no' -d 'remove numbers of lambdas, hidden classes'
complete -c jfrec -n '__jfrec_is flame' -l reverse -d 'show callers above the methods they call'
complete -c jfrec -n '__jfrec_is flame' -l no-time -d 'leave the times out of a page'
complete -c jfrec -n '__jfrec_is flame' -l state -x -a 'runnable sleeping in-object-wait parked' -d 'only threads in these states, such as runnable'
complete -c jfrec -n '__jfrec_is flame' -l virtual -x -a 'yes no' -d 'only virtual threads, or none of them'
complete -c jfrec -n '__jfrec_is flame' -l max-nodes -x -d 'merge light stacks beyond N nodes of a tree'
complete -c jfrec -n '__jfrec_is flame' -l skip -x -d 'omit N frames at the root'
complete -c jfrec -n '__jfrec_is flame' -l depth -x -d 'keep N frames from the root'
complete -c jfrec -n '__jfrec_is flame' -l by -x -d 'with --during: a field of these as the first frame'
complete -c jfrec -n '__jfrec_is flame' -l label -x -d 'with --during: a field of these as a label (pprof)'
complete -c jfrec -n '__jfrec_is summary' -l counts -d 'only types that have events, without sizes'
complete -c jfrec -n '__jfrec_is print' -s j -l json -d 'print JSON'
complete -c jfrec -n '__jfrec_is print' -s x -l xml -d 'print XML'
complete -c jfrec -n '__jfrec_is print stream' -l ndjson -d 'print a line of JSON for each event'
complete -c jfrec -n '__jfrec_is print' -l csv -d 'print a table of one event type'
complete -c jfrec -n '__jfrec_is print' -l tsv -d 'print the same, separated by tabs'
complete -c jfrec -n '__jfrec_is print' -l escape-formulas -d 'put \' before texts that spreadsheets would run'
complete -c jfrec -n '__jfrec_is print' -l exact -d 'print text with full precision'
complete -c jfrec -n '__jfrec_is print stream' -s d -l stack-depth -x -d 'frames of a stack trace to print (default: 5)'
complete -c jfrec -n '__jfrec_is print' -l fields -x -d 'columns of these formats, as startTime,eventThread'
complete -c jfrec -n '__jfrec_is print stream' -l flat -d 'NDJSON without nested objects: dotted keys'
complete -c jfrec -n '__jfrec_is print' -l stack -x -a 'frames string id none' -d 'stack traces as frames, string, id or none'
complete -c jfrec -n '__jfrec_is print' -l raw-ticks -d 'NDJSON with times as recorded, in ticks'
complete -c jfrec -n '__jfrec_is print' -l limit -x -d 'print N events at most'
complete -c jfrec -n '__jfrec_is print' -l sort -x -a 'time file duration' -d 'time, file, or the largest of FIELD (with --limit)'
complete -c jfrec -n '__jfrec_is print' -l strict -d 'stop at the first damage'
complete -c jfrec -n '__jfrec_is print' -l count -d 'print only the number of events'
complete -c jfrec -n '__jfrec_is stop' -s n -l name -x -a '(__jfrec_names)' -d 'the recording\'s name or id, if there are several'
complete -c jfrec -n '__jfrec_is stop' -l discard -d 'discard the recorded data'
complete -c jfrec -n '__jfrec_is check' -s n -l name -x -a '(__jfrec_names)' -d 'only the recording with this name or id'
complete -c jfrec -n '__jfrec_is check' -l verbose -d 'also show the settings of all events'
complete -c jfrec -n '__jfrec_is configure' -l repository-path -x -d 'where the JVM keeps what it records'
complete -c jfrec -n '__jfrec_is configure' -l dump-path -x -d 'where it writes a recording when it crashes'
complete -c jfrec -n '__jfrec_is configure' -l preserve-repository -x -a 'true false' -d 'keep the repository at exit (JDK 21)'
complete -c jfrec -n '__jfrec_is configure' -l stack-depth -x -d 'frames of stack traces'
complete -c jfrec -n '__jfrec_is configure' -l max-chunk-size -x -d 'size of a file of the repository'
complete -c jfrec -n '__jfrec_is configure' -l memory-size -x -d 'size of all buffers'
complete -c jfrec -n '__jfrec_is configure' -l global-buffer-count -x -d 'number of shared buffers'
complete -c jfrec -n '__jfrec_is configure' -l global-buffer-size -x -d 'size of a shared buffer'
complete -c jfrec -n '__jfrec_is configure' -l thread-buffer-size -x -d 'size of a thread\'s buffer'
complete -c jfrec -n '__jfrec_is configure' -l sample-threads -x -a 'true false' -d 'take samples of methods (JDK 8 to 17)'
complete -c jfrec -n '__jfrec_is doctor' -l attach -d 'start the JVM\'s attach listener if necessary'
complete -c jfrec -n '__jfrec_is doctor' -l self -d 'check jfrec itself, and which JVMs were tested'
complete -c jfrec -n '__jfrec_is jcmd' -s f -l file -r -F -d 'run the commands in FILE, one per line'
complete -c jfrec -n '__jfrec_is jcmd' -l max-reply -x -d 'stop reading a reply after this (default: 1g)'
complete -c jfrec -n '__jfrec_is top' -l every -x -a '2s 10s 1m' -d 'look again after each TIME (default: 2s)'
complete -c jfrec -n '__jfrec_is top' -l sort -x -a 'cpu memory heap gc threads finding name pid' -d 'cpu, memory, heap, gc, threads, finding, name or pid'
complete -c jfrec -n '__jfrec_is top' -l once -d 'print one table, of one TIME'
complete -c jfrec -n '__jfrec_is top' -l no-findings -d 'do not judge what JVMs record'
complete -c jfrec -n '__jfrec_is top' -l jvm -x -a '(__jfrec_jvms)' -d 'show this JVM: a pid, or a part of its main class'
complete -c jfrec -n '__jfrec_is top' -s j -l json -d 'print one JSON document, with --once'
complete -c jfrec -n '__jfrec_is top' -l ndjson -d 'print a line of JSON for each JVM and TIME'
complete -c jfrec -n '__jfrec_is threads' -l raw -d 'print the thread dump as the JVM writes it'
complete -c jfrec -n '__jfrec_is threads' -l virtual -d 'look at virtual threads, too (JDK 21 on)'
complete -c jfrec -n '__jfrec_is threads' -l locks -d 'list who holds j.u.c. locks: walks the heap'
complete -c jfrec -n '__jfrec_is threads' -l samples -x -d 'take N dumps of a JVM (default: 1)'
complete -c jfrec -n '__jfrec_is threads' -l interval -x -d 'take them so far apart (default: 1s)'
complete -c jfrec -n '__jfrec_is threads' -l fail-on -x -a 'deadlock never' -d 'exit with 20 if there is a deadlock'
complete -c jfrec -n '__jfrec_is histogram heapdump' -l unreachable -d 'include unreachable objects'
complete -c jfrec -n '__jfrec_is snapshot' -s o -l output -r -F -d 'a new directory, or a .tar.zst, .tar.gz or .tar'
complete -c jfrec -n '__jfrec_is snapshot' -l force -d 'replace an earlier snapshot'
complete -c jfrec -n '__jfrec_is snapshot' -s d -l duration -x -a '10s 30s 2m' -d 'record for this long (default: 30s)'
complete -c jfrec -n '__jfrec_is snapshot' -l max-age -x -a '2m 10m 1h' -d 'take the last TIME of its repository (default: 10m)'
complete -c jfrec -n '__jfrec_is snapshot' -l histogram -d 'count its objects, too: it pauses for that'
complete -c jfrec -n '__jfrec_is snapshot' -l heapdump -d 'take its heap, too: it pauses for that; with --raw'
complete -c jfrec -n '__jfrec_is snapshot' -l raw -d 'keep secrets'
complete -c jfrec -n '__jfrec_is snapshot' -s j -l json -d 'print the manifest as one JSON document'
complete -c jfrec -n '__jfrec_is sql' -l tables -d 'list the tables'
complete -c jfrec -n '__jfrec_is sql' -l schema -d 'show the columns of the tables'
complete -c jfrec -n '__jfrec_is sql' -l timeout -x -a '10s 30s 5m' -d 'give up after this time, such as 30s'
complete -c jfrec -n '__jfrec_is sql diff merge filter scrub export' -l utc -d 'TIME is in UTC, not in the recording\'s zone'
complete -c jfrec -n '__jfrec_is sql diff merge filter scrub export' -l tz -x -a '(__jfrec_zones)' -d 'TIME is in this zone: Europe/Berlin or +05:30'
complete -c jfrec -n '__jfrec_is diff' -l total -d 'include the methods that a method calls'
complete -c jfrec -n '__jfrec_is diff' -l per-second -d 'compare amounts per second, not shares'
complete -c jfrec -n '__jfrec_is diff' -l per-cpu-second -d 'compare amounts per second of CPU time'
complete -c jfrec -n '__jfrec_is diff' -l before -x -d 'in one recording: the time before'
complete -c jfrec -n '__jfrec_is diff' -l after -x -d 'in one recording: the time after'
complete -c jfrec -n '__jfrec_is diff' -l top -x -d 'methods of each profile to print (default: 15)'
complete -c jfrec -n '__jfrec_is diff' -l fail-above -x -d 'exit with 20 if a share grew by more'
complete -c jfrec -n '__jfrec_is diff' -s o -l output -r -F -d 'write a page with both graphs to FILE (.html)'
complete -c jfrec -n '__jfrec_is trace' -l of -x -a '(__jfrec_events)' -d 'events that are requests, such as app.Request'
complete -c jfrec -n '__jfrec_is trace' -l top -x -d 'show the slowest N requests (default: 10)'
complete -c jfrec -n '__jfrec_is trace' -l max-age -x -d 'for a JVM: read the last TIME (default: 10m)'
complete -c jfrec -n '__jfrec_is trace' -l duration -x -d 'for a JVM: record for this long first, such as 30s'
complete -c jfrec -n '__jfrec_is metadata' -l jdk -x -d 'the types of this JDK, without a recording'
complete -c jfrec -n '__jfrec_is merge filter scrub repair symbolize' -s o -l output -r -F -d 'write to FILE, or to - (standard output)'
complete -c jfrec -n '__jfrec_is merge filter scrub repair symbolize' -l compress -x -a 'gzip zstd none' -d 'gzip, zstd or none; else as FILE is named'
complete -c jfrec -n '__jfrec_is merge' -l max-size -x -d 'only the newest chunks, as 500M'
complete -c jfrec -n '__jfrec_is merge' -l max-age -x -d 'only chunks of the last, as 10m or 2h'
complete -c jfrec -n '__jfrec_is merge' -l compact -d 'combine many small chunks into few large ones'
complete -c jfrec -n '__jfrec_is merge' -l plain -d 'do not convert chunks of different JVMs'
complete -c jfrec -n '__jfrec_is merge repair' -s j -l json -d 'print a report as one JSON document'
complete -c jfrec -n '__jfrec_is filter scrub' -l exclude-events -x -a '(__jfrec_events)' -d 'no events whose name matches'
complete -c jfrec -n '__jfrec_is filter scrub' -l exclude-categories -x -d 'no events of a category that matches'
complete -c jfrec -n '__jfrec_is filter scrub' -l include-events -x -a '(__jfrec_events)' -d 'the same as --events'
complete -c jfrec -n '__jfrec_is filter scrub' -l include-categories -x -d 'the same as --categories'
complete -c jfrec -n '__jfrec_is filter scrub' -l include-threads -x -d 'the same as --threads'
complete -c jfrec -n '__jfrec_is filter' -l context -d 'keep events that describe the JVM, whatever else'
complete -c jfrec -n '__jfrec_is filter' -l no-context -d 'filter these events like all others'
complete -c jfrec -n '__jfrec_is filter' -s j -l json -d 'print one JSON document: what was kept and removed'
complete -c jfrec -n '__jfrec_is split' -s o -l output -x -a '(__fish_complete_directories)' -d 'write to this directory (default: the current one)'
complete -c jfrec -n '__jfrec_is split' -l chunks -x -d 'at most N chunks per file (default: 1)'
complete -c jfrec -n '__jfrec_is split' -l size -x -d 'at most this size per file, such as 100M'
complete -c jfrec -n '__jfrec_is split' -l events -x -d 'at most N events per file'
complete -c jfrec -n '__jfrec_is split' -l duration -x -d 'at most this duration per file, such as 10m'
complete -c jfrec -n '__jfrec_is split' -l compress -x -a 'gzip zstd none' -d 'compress by gzip or zstd'
complete -c jfrec -n '__jfrec_is split export' -l force -d 'replace files that exist'
complete -c jfrec -n '__jfrec_is split export' -l mode -x -a '600 640 644' -d 'permissions of the files in octal, such as 640'
complete -c jfrec -n '__jfrec_is split' -s j -l json -d 'print one JSON document: the files'
complete -c jfrec -n '__jfrec_is scrub' -l rules -r -F -d 'also apply the rules in a YAML file'
complete -c jfrec -n '__jfrec_is scrub' -l hosts -d 'also redact host names and IP addresses'
complete -c jfrec -n '__jfrec_is scrub' -l paths -d 'also redact user names and home directories'
complete -c jfrec -n '__jfrec_is scrub' -l no-defaults -d 'apply only --rules, --hosts and --paths'
complete -c jfrec -n '__jfrec_is scrub' -l salt -x -d 'make tokens that are the same in other recordings'
complete -c jfrec -n '__jfrec_is scrub' -s n -l dry-run -d 'write nothing; show what would be redacted'
complete -c jfrec -n '__jfrec_is scrub' -l report -r -F -d 'write a report to FILE, as JSON'
complete -c jfrec -n '__jfrec_is scrub' -s j -l json -d 'print one JSON document: what was redacted'
complete -c jfrec -n '__jfrec_is symbolize' -l debug-dir -x -a '(__fish_complete_directories)' -d 'look for debug information in DIR'
complete -c jfrec -n '__jfrec_is symbolize' -l no-system -d 'do not look in /usr/lib/debug'
complete -c jfrec -n '__jfrec_is symbolize' -s j -l json -d 'print one JSON document: what was found, by module'
complete -c jfrec -n '__jfrec_is stream' -s j -l json -d 'print JSON: one document, of one source'
complete -c jfrec -n '__jfrec_is stream watch metrics' -l from -x -a 'start now' -d 'from start, now, 10 minutes ago (-10m), or a time'
complete -c jfrec -n '__jfrec_is stream watch metrics' -l for -x -d 'stop after this time, such as 60s'
complete -c jfrec -n '__jfrec_is stream watch metrics' -l duration -x -d 'the same as --for'
complete -c jfrec -n '__jfrec_is stream watch metrics' -l follow -d 'also follow matching JVMs that start later'
complete -c jfrec -n '__jfrec_is stream watch metrics' -s s -l settings -r -F -a 'none (__jfrec_settings)' -d 'start a recording: default, profile, a file'
complete -c jfrec -n '__jfrec_is stream watch metrics' -l set -x -a '(__jfrec_set)' -d 'change it: EVENT#SETTING=VALUE or OPTION=VALUE'
complete -c jfrec -n '__jfrec_is stream' -l unordered -d 'do not sort the events of a flush by time'
complete -c jfrec -n '__jfrec_is stream' -l on-slow -x -a 'drop wait' -d 'if the output is read too slowly (default: wait)'
complete -c jfrec -n '__jfrec_is stream' -l fields -x -d 'NDJSON with these columns, as startTime,eventThread'
complete -c jfrec -n '__jfrec_is stream' -l on -x -a '(__jfrec_event_names)' -d 'run --exec when this event occurs'
complete -c jfrec -n '__jfrec_is stream' -l exec -x -d 'command to run; gets the event as JSON'
complete -c jfrec -n '__jfrec_is stream' -l cooldown -x -d 'do not run it again for this long (default: 60s)'
complete -c jfrec -n '__jfrec_is watch' -l ndjson -d 'print a line of JSON for each change'
complete -c jfrec -n '__jfrec_is watch' -l window -x -d 'judge this much at a time (default: 60s)'
complete -c jfrec -n '__jfrec_is watch' -l min-severity -x -a 'info warning' -d 'report no less (default: warning)'
complete -c jfrec -n '__jfrec_is watch' -l fail-on -x -a 'info warning never' -d 'exit with 20 after a finding of this severity'
complete -c jfrec -n '__jfrec_is watch' -l exec -x -d 'command to run for each change; gets it as JSON'
complete -c jfrec -n '__jfrec_is metrics' -l listen -x -a '127.0.0.1:9464' -d 'serve metrics at an address such as 127.0.0.1:9464'
complete -c jfrec -n '__jfrec_is metrics' -s o -l output -r -F -d 'write metrics to FILE, for node_exporter'
complete -c jfrec -n '__jfrec_is metrics' -l every -x -d 'write FILE at this interval, such as 15s'
complete -c jfrec -n '__jfrec_is collect' -s c -l config -r -F -d 'what to collect: jfrec-collect(5)'
complete -c jfrec -n '__jfrec_is collect' -l check -d 'only check FILE for mistakes'
complete -c jfrec -n '__jfrec_is collect' -s n -l dry-run -d 'change nothing, print what would be done'
complete -c jfrec -n '__jfrec_is collect' -l interval -x -d 'repeat at this interval, such as 1m'
complete -c jfrec -n '__jfrec_is collect' -l reap -d 'remove collected repositories of exited JVMs'
complete -c jfrec -n '__jfrec_is collect' -s q -l quiet -d 'print only failures'
complete -c jfrec -n '__jfrec_is collect' -s j -l json -d 'print a JSON document for each pass'
complete -c jfrec -n '__jfrec_is export' -s o -l output -x -a '(__fish_complete_directories)' -d 'write to this directory, or with sqlite to this file'
complete -c jfrec -n '__jfrec_is export' -l format -x -a 'parquet sqlite' -d 'parquet (default) or sqlite'
complete -c jfrec -n '__jfrec_is export' -l timestamps -x -a 'us ns' -d 'the unit of times (default: us)'
complete -c jfrec -n '__jfrec_is export' -l stack -x -a 'string frames' -d 'stacks as a string (default) or list of frames'
complete -c jfrec -n '__jfrec_is export' -l partition -x -a 'date' -d 'a directory for each date, or value of a label'
complete -c jfrec -n '__jfrec_is export' -l label -x -d 'add a column, or a value to partition by'
complete -c jfrec -n '__jfrec_is export' -l label-from-name -x -d 'labels of files\' names, as \'{service}-{host}.jfr\''
complete -c jfrec -n '__jfrec_is export' -l max-output -x -a '1G 8G none' -d 'limit of what is written, and of tables'
complete -c jfrec -n '__jfrec_is export' -s j -l json -d 'print one JSON document: what was written'
complete -c jfrec -n '__jfrec_is mcp' -l root -x -d 'read recordings beneath DIR, and no other files'
complete -c jfrec -n '__jfrec_is mcp' -l live -d 'also talk to JVMs: list, doctor, threads'
complete -c jfrec -n '__jfrec_is mcp' -l out -x -d 'with --live: record and dump into DIR'
complete -c jfrec -n '__jfrec_is mcp' -l max-disk -x -d 'with --out: what DIR may have (default: 1G)'
complete -c jfrec -n '__jfrec_is mcp' -l max-reply -x -d 'bytes of a reply (default: 24k)'
complete -c jfrec -n '__jfrec_is mcp' -l max-time -x -d 'end a call after this time (default: 10s)'
complete -c jfrec -n '__jfrec_is mcp' -l salt -x -d 'make tokens for secrets that are the same again'
complete -c jfrec -n '__jfrec_is mcp' -l log -x -d 'append a line of JSON for each call to FILE'
complete -c jfrec -n '__jfrec_is mcp' -l skill -d 'print how to use the tools, for an assistant'
complete -c jfrec -n '__jfrec_is settings-list settings-show settings-set settings-check settings-diff settings-explain' -l jdk-home -x -a '(__fish_complete_directories)' -d 'look up names in this JDK'
complete -c jfrec -n '__jfrec_is settings-show' -l yaml -d 'print YAML, jfrec-settings(5) (the default)'
complete -c jfrec -n '__jfrec_is settings-show' -l jfc -d 'print a .jfc file'
complete -c jfrec -n '__jfrec_is settings-set' -s o -l output -r -F -d 'write to FILE instead of standard output'
complete -c jfrec -n '__jfrec_is settings-set' -l yaml -d 'write YAML (the default for .yaml and .yml)'
complete -c jfrec -n '__jfrec_is settings-set' -l jfc -d 'write a .jfc file (the default for all other names)'
complete -c jfrec -n '__jfrec_is settings-check' -l target -x -a '(__jfrec_jvms)' -d 'for this JVM: a pid or a part of its name'
complete -c jfrec -n '__jfrec_is settings-check' -l jdk -x -d 'for JVMs of this version, such as 17'
complete -c jfrec -n '__jfrec_is settings-diff' -l off -d 'also compare event types that are off in both'
complete -c jfrec -n '__jfrec_is settings-diff' -s n -l name -x -a '(__jfrec_names)' -d 'for a JVM: the recording with this name or id'
complete -c jfrec -n '__jfrec_is settings-explain' -l jdk -x -d 'as in this JDK, such as 17 (default: the newest)'
complete -c jfrec -n '__jfrec_is settings-active' -l off -d 'also show event types that are off'
complete -c jfrec -n '__jfrec_is settings-active' -l yaml -d 'print them as a settings file, jfrec-settings(5)'
complete -c jfrec -n '__jfrec_is settings-active' -l jfc -d 'print them as a .jfc file'
complete -c jfrec -n '__jfrec_is settings-active' -s n -l name -x -a '(__jfrec_names)' -d 'of a JVM: only the recording with this name or id'
complete -c jfrec -n '__jfrec_is settings-cost' -l set -x -a '(__jfrec_set)' -d 'the effect of this change; may be repeated'
complete -c jfrec -n '__jfrec_is settings-cost' -l all -d 'show all event types and all changes that save'
# End of options
