# fish completion for jfrec(1)
#
# tests/cli/face.sh compares the options of each command with
# "jfrec COMMAND --help": those behind __fish_use_subcommand are jfrec's own,
# the others those of each command that __jfrec_is names.

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

complete -c jfrec -n __fish_use_subcommand -a print -d 'print the events of a recording'
complete -c jfrec -n __fish_use_subcommand -a summary -d 'count the events of a recording'
complete -c jfrec -n __fish_use_subcommand -a view -d 'show a table that answers a common question'
complete -c jfrec -n __fish_use_subcommand -a query -d 'run a query over the events of a recording'
complete -c jfrec -n __fish_use_subcommand -a sql -d 'run SQL over the events of recordings'
complete -c jfrec -n __fish_use_subcommand -a metadata -d 'show the types that a recording declares'
complete -c jfrec -n __fish_use_subcommand -a flame -d 'draw flame graphs of CPU time, allocation, locks'
complete -c jfrec -n __fish_use_subcommand -a analyze -d 'say what is wrong in a recording, and what to do'
complete -c jfrec -n __fish_use_subcommand -a diff -d 'compare where time and memory went in two recordings'
complete -c jfrec -n __fish_use_subcommand -a report -d 'write a page: what is wrong, when, where to look'
complete -c jfrec -n __fish_use_subcommand -a export -d 'write events as tables for other engines'
complete -c jfrec -n __fish_use_subcommand -a filter -d 'write a recording of some of the events'
complete -c jfrec -n __fish_use_subcommand -a merge -d 'write one recording of many'
complete -c jfrec -n __fish_use_subcommand -a split -d 'split a recording into several files'
complete -c jfrec -n __fish_use_subcommand -a repair -d 'make a valid recording from a damaged one'
complete -c jfrec -n __fish_use_subcommand -a scrub -d 'write a recording without secrets'
complete -c jfrec -n __fish_use_subcommand -a symbolize -d 'add names and lines to stacks of native programs'
complete -c jfrec -n __fish_use_subcommand -a list -d 'list the JVMs of this host'
complete -c jfrec -n __fish_use_subcommand -a jcmd -d 'run any diagnostic command in a JVM'
complete -c jfrec -n __fish_use_subcommand -a heapdump -d 'fetch a heap dump of a JVM'
complete -c jfrec -n __fish_use_subcommand -a threads -d 'print the threads of a JVM with their stacks'
complete -c jfrec -n __fish_use_subcommand -a histogram -d 'count the objects on the heap of a JVM by class'
complete -c jfrec -n __fish_use_subcommand -a start -d 'start a recording in a JVM'
complete -c jfrec -n __fish_use_subcommand -a stop -d 'stop a recording and fetch it'
complete -c jfrec -n __fish_use_subcommand -a check -d 'list the recordings of a JVM'
complete -c jfrec -n __fish_use_subcommand -a dump -d 'fetch what a JVM has recorded so far'
complete -c jfrec -n __fish_use_subcommand -a record -d 'record a JVM for a while and fetch the recording'
complete -c jfrec -n __fish_use_subcommand -a collect -d 'copy the recordings of many JVMs into one directory'
complete -c jfrec -n __fish_use_subcommand -a stream -d 'print events while JVMs record them'
complete -c jfrec -n __fish_use_subcommand -a watch -d 'report findings in JVMs as they begin and end'
complete -c jfrec -n __fish_use_subcommand -a metrics -d 'measure what JVMs record, for Prometheus and others'
complete -c jfrec -n __fish_use_subcommand -a configure -d 'show or set options of Flight Recorder'
complete -c jfrec -n __fish_use_subcommand -a settings -d 'show, change, check and compare recording settings'
complete -c jfrec -n __fish_use_subcommand -a config -d 'show the defaults in effect and where they are set'
complete -c jfrec -n __fish_use_subcommand -a doctor -d 'find out why a JVM cannot be attached to or recorded'
complete -c jfrec -n __fish_use_subcommand -a help -d 'explain a command or a topic'
complete -c jfrec -n __fish_use_subcommand -l config -r -F -d 'read defaults of options from FILE, too'
complete -c jfrec -n __fish_use_subcommand -l no-config -d 'read no such files'
complete -c jfrec -n __fish_use_subcommand -s h -l help -d 'show a short help'
complete -c jfrec -n __fish_use_subcommand -s V -l version -d 'show the version'

complete -c jfrec -n '__jfrec_is print summary metadata flame analyze diff report export filter merge split repair scrub symbolize settings-active settings-cost' -a '(__jfrec_recordings)'
complete -c jfrec -n '__jfrec_is print view query sql summary metadata analyze diff report export filter merge split repair scrub symbolize list jcmd heapdump threads histogram start stop check dump record stream collect configure doctor' -s j -l json -d 'print JSON'
complete -c jfrec -n '__jfrec_is print view query sql summary metadata flame analyze diff report export filter merge split repair scrub symbolize stream watch metrics dump collect settings-active settings-cost settings-diff' -l max-memory -x -d 'limit the memory used'
complete -c jfrec -n '__jfrec_is report sql export split diff merge scrub print filter view query flame analyze' -l max-spool -x -d 'store at most so much of a pipe'
complete -c jfrec -n '__jfrec_is flame diff report export' -l max-output -x -d 'limit what is written'
complete -c jfrec -n '__jfrec_is print summary view query flame diff report' -l jobs -x -d 'threads that read'
complete -c jfrec -n '__jfrec_is print view query sql summary metadata flame analyze diff report export filter merge split repair scrub symbolize settings-active settings-cost' -l types-from -r -d 'its types where they are lost'
complete -c jfrec -n '__jfrec_is view' -a '(__jfrec_views) (__jfrec_recordings)'
complete -c jfrec -n '__jfrec_is query sql' -a '(__jfrec_recordings)'
complete -c jfrec -n '__jfrec_is view query' -l verbose -d 'also show fields and the time it took'
complete -c jfrec -n '__jfrec_is view query analyze' -l width -x -d 'characters of a line'
complete -c jfrec -n '__jfrec_is view query' -l truncate -x -a 'beginning end' -d 'which end of long texts to omit'
complete -c jfrec -n '__jfrec_is view query' -l cell-height -x -d 'show N lines of a cell at most'
complete -c jfrec -n '__jfrec_is view query' -l sort -x -d 'sort by this column'
complete -c jfrec -n '__jfrec_is print' -s x -l xml -d 'print XML'
complete -c jfrec -n '__jfrec_is print view query sql metadata flame analyze diff report export filter scrub stream metrics' -s e -l events -x -a '(__jfrec_events)' -d 'only these event types'
complete -c jfrec -n '__jfrec_is print view query sql metadata flame analyze diff report export filter scrub stream metrics' -s c -l categories -x -d 'only these categories'
complete -c jfrec -n '__jfrec_is print view query sql flame analyze diff report export filter scrub stream metrics' -l where -x -d 'only events for which this holds'
complete -c jfrec -n '__jfrec_is print view query sql flame analyze diff report export filter scrub stream metrics' -l threads -x -d 'only events of these threads'
complete -c jfrec -n '__jfrec_is print view query sql flame analyze diff report export filter scrub stream metrics' -l exclude-threads -x -d 'no events of these threads'
complete -c jfrec -n '__jfrec_is print stream' -s d -l stack-depth -x -d 'print so many frames'
complete -c jfrec -n '__jfrec_is print view query sql analyze stream watch' -l ndjson -d 'print a line of JSON for each event'
complete -c jfrec -n '__jfrec_is print view query sql' -l csv -d 'print a table of one event type'
complete -c jfrec -n '__jfrec_is print' -l tsv -d 'print the same, separated by tabs'
complete -c jfrec -n '__jfrec_is print' -l exact -d 'print numbers with full precision'
complete -c jfrec -n '__jfrec_is print stream' -l fields -x -d 'print only these fields'
complete -c jfrec -n '__jfrec_is print stream' -l flat -d 'print JSON lines with dotted keys'
complete -c jfrec -n '__jfrec_is print' -l stack -x -a 'frames string id none' -d 'choose the form of stack traces'
complete -c jfrec -n '__jfrec_is print' -l escape-formulas -d 'mark texts that spreadsheets would run'
complete -c jfrec -n '__jfrec_is print' -l raw-ticks -d 'print times of JSON lines in ticks'
complete -c jfrec -n '__jfrec_is print view query sql flame analyze report export filter merge scrub stream watch metrics' -l from -x -d 'only what ended at this time or later'
complete -c jfrec -n '__jfrec_is print view query sql flame analyze report export filter merge scrub' -l to -x -d 'only what began before this time'
complete -c jfrec -n '__jfrec_is print view query' -l limit -x -d 'print so many events at most'
complete -c jfrec -n '__jfrec_is print' -l sort -x -a 'time file duration' -d 'choose the order of events'
complete -c jfrec -n '__jfrec_is print view query sql flame analyze diff report export filter merge scrub stream watch' -l utc -d 'times are in UTC'
complete -c jfrec -n '__jfrec_is print view query sql flame analyze diff report export filter merge scrub stream watch' -l tz -x -a '(__jfrec_zones)' -d 'times are in this zone'
complete -c jfrec -n '__jfrec_is analyze' -l all -d 'also what is ok or has no data'
complete -c jfrec -n '__jfrec_is analyze' -l min-severity -x -a 'info warning' -d 'show no less than these'
complete -c jfrec -n '__jfrec_is analyze' -l only -x -a '(__jfrec_rules)' -d 'apply only these rules'
complete -c jfrec -n '__jfrec_is analyze' -l ignore -x -a '(__jfrec_rules)' -d 'only count what these rules find'
complete -c jfrec -n '__jfrec_is analyze' -l limit -x -a '(__jfrec_rules)' -d 'set a limit, RULE.CLASS=VALUE'
complete -c jfrec -n '__jfrec_is analyze' -l limits -r -F -d 'take limits from this file'
complete -c jfrec -n '__jfrec_is analyze' -l rules -r -F -d 'also judge by the rules of this file'
complete -c jfrec -n '__jfrec_is analyze' -l baseline -r -F -d 'show only what is new or worse'
complete -c jfrec -n '__jfrec_is analyze' -l format -x -a 'text json ndjson markdown sarif junit' -d 'choose the format'
complete -c jfrec -n '__jfrec_is analyze' -l fail-on -x -a 'info warning never' -d 'exit with 20 if there is such a finding'
complete -c jfrec -n '__jfrec_is analyze' -l require -x -a '(__jfrec_rules)' -d 'exit with 20 if this rule has no data'
complete -c jfrec -n '__jfrec_is analyze' -l explain -x -a '(__jfrec_rules)' -d 'explain a rule'
complete -c jfrec -n '__jfrec_is analyze' -l list -d 'list all rules'
complete -c jfrec -n '__jfrec_is report' -l format -x -a 'html json markdown' -d 'choose the format'
complete -c jfrec -n '__jfrec_is report' -l title -x -d 'title of the page'
complete -c jfrec -n '__jfrec_is report' -l no-scrub -d 'do not redact secrets'
complete -c jfrec -n '__jfrec_is report' -l environment -d 'show environment variables'
complete -c jfrec -n '__jfrec_is flame' -l profile -x -a 'cpu wall native alloc live holders lock io exceptions native-memory native-leaks trace' -d 'show only these profiles'
complete -c jfrec -n '__jfrec_is flame' -l type -x -a '(__jfrec_events)' -d 'show the stacks of these events'
complete -c jfrec -n '__jfrec_is flame' -l weight -x -d 'the field that events weigh'
complete -c jfrec -n '__jfrec_is flame' -l count -d 'weigh by the number of events'
complete -c jfrec -n '__jfrec_is flame' -l format -x -a 'html svg pprof firefox json collapsed text otlp' -d 'choose the format'
complete -c jfrec -n '__jfrec_is flame' -l experimental -d 'accept formats that may still change'
complete -c jfrec -n '__jfrec_is flame' -l title -x -d 'title of a page or picture'
complete -c jfrec -n '__jfrec_is flame' -l top -x -d 'lines of the text'
complete -c jfrec -n '__jfrec_is flame' -l least -x -d 'leave out smaller frames'
complete -c jfrec -n '__jfrec_is flame' -l include -x -d 'only stacks with this frame'
complete -c jfrec -n '__jfrec_is flame' -l exclude -x -d 'only stacks without this frame'
complete -c jfrec -n '__jfrec_is flame' -l by-thread -d 'the thread is the first frame'
complete -c jfrec -n '__jfrec_is view query sql flame analyze report' -l jvm -x -d 'read this JVM'
complete -c jfrec -n '__jfrec_is view' -l views -r -d 'read views from a file'
complete -c jfrec -n '__jfrec_is view query' -l every -x -a '2s 10s 1m' -d 'show it again after this time'
complete -c jfrec -n '__jfrec_is view query sql flame analyze report' -l max-age -x -a '2m 10m 1h' -d 'how far back to read'
complete -c jfrec -n '__jfrec_is view query sql flame analyze report' -l duration -x -a '10s 30s 2m' -d 'record for this long first'
complete -c jfrec -n '__jfrec_is flame' -l lines -d 'distinguish the lines of a method'
complete -c jfrec -n '__jfrec_is flame' -l bci -d 'tell bytecode indices apart'
complete -c jfrec -n '__jfrec_is flame' -l simple -d 'class names without packages'
complete -c jfrec -n '__jfrec_is flame' -l norm -x -a 'yes no' -d 'hidden classes without their numbers'
complete -c jfrec -n '__jfrec_is flame' -l no-time -d 'leave the times out of a page'
complete -c jfrec -n '__jfrec_is flame' -l sampler -x -a 'cpu-time execution' -d 'which samples of the CPU to take'
complete -c jfrec -n '__jfrec_is flame' -l state -x -a 'runnable sleeping in-object-wait parked' -d 'only threads in these states'
complete -c jfrec -n '__jfrec_is flame' -l virtual -x -a 'yes no' -d 'only virtual threads, or none'
complete -c jfrec -n '__jfrec_is flame' -l max-nodes -x -d 'merge light stacks beyond this'
complete -c jfrec -n '__jfrec_is flame' -l reverse -d 'callers above what they call'
complete -c jfrec -n '__jfrec_is flame' -l skip -x -d 'leave out frames at the root'
complete -c jfrec -n '__jfrec_is flame' -l depth -x -d 'keep frames from the root'
complete -c jfrec -n '__jfrec_is diff' -l profile -x -a 'cpu wall native alloc live holders lock io exceptions native-memory native-leaks trace' -d 'compare only these profiles'
complete -c jfrec -n '__jfrec_is diff' -l total -d 'include the methods that a method calls'
complete -c jfrec -n '__jfrec_is diff' -l per-second -d 'compare by time recorded'
complete -c jfrec -n '__jfrec_is diff' -l per-cpu-second -d 'compare by CPU time'
complete -c jfrec -n '__jfrec_is diff' -l before -x -d 'the earlier time of one recording'
complete -c jfrec -n '__jfrec_is diff' -l after -x -d 'the later time of one recording'
complete -c jfrec -n '__jfrec_is diff' -l top -x -d 'methods to print'
complete -c jfrec -n '__jfrec_is diff' -l fail-above -x -d 'fail if a share grew by more'
complete -c jfrec -n '__jfrec_is filter' -l context -d 'keep the events that describe the JVM'
complete -c jfrec -n '__jfrec_is filter' -l no-context -d 'filter these events like all others'
complete -c jfrec -n '__jfrec_is print' -l strict -d 'stop at the first damage'
complete -c jfrec -n '__jfrec_is print' -l count -d 'print only the number of events'
complete -c jfrec -n '__jfrec_is filter scrub' -l exclude-events -x -a '(__jfrec_events)' -d 'no events of these types'
complete -c jfrec -n '__jfrec_is filter scrub' -l exclude-categories -x -d 'no events of these categories'
complete -c jfrec -n '__jfrec_is filter scrub' -l include-events -x -a '(__jfrec_events)' -d 'only these event types'
complete -c jfrec -n '__jfrec_is filter scrub' -l include-categories -x -d 'only these categories'
complete -c jfrec -n '__jfrec_is filter scrub' -l include-threads -x -d 'only events of these threads'
complete -c jfrec -n '__jfrec_is flame diff report filter merge repair scrub symbolize' -s o -l output -r -F -d 'write to this file'
complete -c jfrec -n '__jfrec_is export' -s o -l output -r -F -d 'write to this directory or file'
complete -c jfrec -n '__jfrec_is sql' -l tables -d 'list the tables'
complete -c jfrec -n '__jfrec_is sql' -l schema -d 'show the columns of the tables'
complete -c jfrec -n '__jfrec_is sql' -l timeout -x -a '10s 30s 5m' -d 'give up after this time'
complete -c jfrec -n '__jfrec_is export' -l format -x -a 'parquet sqlite' -d 'choose the format'
complete -c jfrec -n '__jfrec_is export' -l timestamps -x -a 'us ns' -d 'the unit of times'
complete -c jfrec -n '__jfrec_is export' -l stack -x -a 'string frames' -d 'choose the form of stack traces'
complete -c jfrec -n '__jfrec_is export' -l partition -x -a 'date' -d 'a directory for each date or label'
complete -c jfrec -n '__jfrec_is export' -l label -x -d 'add a column, or a value to partition by'
complete -c jfrec -n '__jfrec_is export' -l label-from-name -x -d 'labels of the names of files'
complete -c jfrec -n '__jfrec_is split' -s o -l output -x -a '(__fish_complete_directories)' -d 'write to this directory'
complete -c jfrec -n '__jfrec_is filter merge split repair scrub symbolize' -l compress -x -a 'gzip zstd none' -d 'compress what is written'
complete -c jfrec -n '__jfrec_is flame diff report export filter merge split repair scrub symbolize' -l force -d 'replace what exists'
complete -c jfrec -n '__jfrec_is flame diff report export filter merge split repair scrub symbolize' -l mode -x -a '600 640 644' -d 'permissions of the file'
complete -c jfrec -n '__jfrec_is scrub' -l rules -r -F -d 'redact by the rules of this file'
complete -c jfrec -n '__jfrec_is scrub' -l hosts -d 'redact hosts and addresses'
complete -c jfrec -n '__jfrec_is scrub' -l paths -d 'redact users and home directories'
complete -c jfrec -n '__jfrec_is scrub' -l no-defaults -d 'redact only what is said'
complete -c jfrec -n '__jfrec_is scrub' -l salt -x -d 'make tokens with this salt'
complete -c jfrec -n '__jfrec_is scrub' -s n -l dry-run -d 'show what would be redacted'
complete -c jfrec -n '__jfrec_is scrub' -l report -r -F -d 'write what was done to this file'
complete -c jfrec -n '__jfrec_is symbolize' -l debug-dir -x -a '(__fish_complete_directories)' -d 'look for debug information there'
complete -c jfrec -n '__jfrec_is symbolize' -l no-system -d 'do not look in /usr/lib/debug'
complete -c jfrec -n '__jfrec_is merge' -l max-size -x -d 'write only the newest chunks'
complete -c jfrec -n '__jfrec_is merge' -l max-age -x -d 'write only chunks of the last'
complete -c jfrec -n '__jfrec_is merge' -l compact -d 'make few large chunks of many'
complete -c jfrec -n '__jfrec_is merge' -l plain -d 'only join chunks'
complete -c jfrec -n '__jfrec_is split' -l chunks -x -d 'put so many chunks into a file'
complete -c jfrec -n '__jfrec_is split' -l size -x -d 'make files of at most this size'
complete -c jfrec -n '__jfrec_is split' -l events -x -a '(__jfrec_events)' -d 'put so many events into a file'
complete -c jfrec -n '__jfrec_is split' -l duration -x -d 'make files of at most this time'
complete -c jfrec -n '__jfrec_is list heapdump threads histogram start stop check dump record stream watch metrics configure doctor settings-active settings-diff' -a '(__jfrec_jvms)'
complete -c jfrec -n '__jfrec_is jcmd; and not __jfrec_has_jvm' -a '(__jfrec_jvms)'
complete -c jfrec -n '__jfrec_is jcmd; and __jfrec_has_jvm' -a '(__jfrec_diagnostic)'
complete -c jfrec -n '__jfrec_is jcmd' -l max-reply -x -d 'give up an answer beyond this'
complete -c jfrec -n '__jfrec_is list jcmd heapdump threads histogram start stop check dump record stream watch metrics configure doctor settings-active' -l container -x -d 'only JVMs in this container'
complete -c jfrec -n '__jfrec_is list jcmd heapdump threads histogram start stop check dump record stream watch metrics configure doctor settings-active' -l user -x -a '(__fish_complete_users)' -d 'only JVMs of this user'
complete -c jfrec -n '__jfrec_is list' -s l -l long -d 'show whole commands and reasons'
complete -c jfrec -n '__jfrec_is list' -s r -l recordings -d 'attach, and show recordings'
complete -c jfrec -n '__jfrec_is list jcmd heapdump threads histogram start stop check dump record stream watch metrics configure doctor settings-active settings-diff' -l timeout -x -d 'wait so long for each answer'
complete -c jfrec -n '__jfrec_is list jcmd heapdump threads histogram start stop check dump record stream watch metrics configure doctor settings-active settings-diff' -s v -l trace -d 'tell each step'
complete -c jfrec -n '__jfrec_is print view query sql summary metadata flame analyze diff report export filter merge split repair scrub symbolize settings-cost' -s v -l trace -d 'tell how this is confined'
complete -c jfrec -n '__jfrec_is list jcmd heapdump threads histogram start stop check dump record stream watch metrics configure doctor settings-active settings-diff' -l attach-anyway -d 'attach also if that may end the JVM'
complete -c jfrec -n '__jfrec_is print view query sql summary metadata flame analyze diff report export filter merge split repair scrub symbolize list jcmd heapdump threads histogram start stop check dump record stream watch metrics collect configure doctor config config-show settings settings-active settings-cost settings-list settings-show settings-set settings-check settings-diff settings-explain' -s h -l help -d 'show a short help'

complete -c jfrec -n '__jfrec_is list jcmd heapdump threads histogram start stop check dump configure doctor settings-active stream watch metrics' -l all -d 'every JVM that fits'
complete -c jfrec -n '__jfrec_is heapdump histogram' -l unreachable -d 'include unreachable objects'
complete -c jfrec -n '__jfrec_is jcmd' -s f -l file -r -F -d 'run the commands of a file'
complete -c jfrec -n '__jfrec_is start record' -s n -l name -x -d 'name the recording'
complete -c jfrec -n '__jfrec_is stop check dump settings-active settings-diff' -s n -l name -x -a '(__jfrec_names)' -d 'the recording\'s name or id'
complete -c jfrec -n '__jfrec_is start record stream watch metrics' -s s -l settings -r -F -a 'none (__jfrec_settings)' -d 'a built-in profile, one of the JVM\'s, or a file'
complete -c jfrec -n '__jfrec_is start record stream watch metrics' -l set -x -a '(__jfrec_set)' -d 'EVENT#SETTING=VALUE or OPTION=VALUE'
complete -c jfrec -n '__jfrec_is start record' -l stack-depth -x -a '160 keep' -d 'frames of stack traces in the first recording'
complete -c jfrec -n '__jfrec_is start record stream watch metrics' -l unchecked -d 'accept settings that no JDK has or understands'
complete -c jfrec -n '__jfrec_is start record' -s d -l duration -x -d 'stop after this time and write --filename'
complete -c jfrec -n '__jfrec_is start' -l delay -x -d 'start after this time'
complete -c jfrec -n '__jfrec_is start dump record' -l max-age -x -d 'keep only data younger than this'
complete -c jfrec -n '__jfrec_is start dump record' -l max-size -x -d 'keep at most this much, such as 250m'
complete -c jfrec -n '__jfrec_is start' -l filename -x -d 'file the JVM writes at the end, as the JVM sees it'
complete -c jfrec -n '__jfrec_is start' -l disk -d 'keep events on the JVMs disk'
complete -c jfrec -n '__jfrec_is start' -l no-disk -d 'keep events in memory only'
complete -c jfrec -n '__jfrec_is start' -l dump-on-exit -d 'write the recording when the JVM exits'
complete -c jfrec -n '__jfrec_is start' -l flush-interval -x -d 'flush at this interval (JDK 17)'
complete -c jfrec -n '__jfrec_is start dump record' -l path-to-gc-roots -d 'find references that keep old objects alive'
complete -c jfrec -n '__jfrec_is stop dump record heapdump' -s o -l output -r -F -d 'write to FILE, to a name in DIR/, or to -'
complete -c jfrec -n '__jfrec_is stop dump record heapdump' -l compress -x -a 'gzip zstd none' -d 'compress by gzip or zstd'
complete -c jfrec -n '__jfrec_is stop dump record heapdump' -l force -d 'replace FILE if it exists'
complete -c jfrec -n '__jfrec_is stop dump record heapdump' -l mode -x -a '600 640 644' -d 'permissions of the file'
complete -c jfrec -n '__jfrec_is stop' -l discard -d 'discard the recorded data'
complete -c jfrec -n '__jfrec_is check' -l verbose -d 'also show the settings of all events'
complete -c jfrec -n '__jfrec_is dump' -l begin -x -d 'from then on; 09;30, -10m, 2026-11-20T08;30;00Z'
complete -c jfrec -n '__jfrec_is dump' -l end -x -d 'end of the range'
complete -c jfrec -n '__jfrec_is dump' -l from-repository -d 'copy its files on disk, without attaching'
complete -c jfrec -n '__jfrec_is dump' -l full-speed -d 'do not yield the processor'
complete -c jfrec -n '__jfrec_is collect' -s c -l config -r -F -d 'what to collect'
complete -c jfrec -n '__jfrec_is collect' -l check -d 'only look whether the file is right'
complete -c jfrec -n '__jfrec_is collect' -s n -l dry-run -d 'change nothing, print what would be done'
complete -c jfrec -n '__jfrec_is collect' -l interval -x -d 'repeat at this interval, such as 1m'
complete -c jfrec -n '__jfrec_is collect' -l reap -d 'remove collected repositories of exited JVMs'
complete -c jfrec -n '__jfrec_is collect' -s q -l quiet -d 'print only failures'
complete -c jfrec -n '__jfrec_is stream watch metrics' -a '(__fish_complete_directories)'
complete -c jfrec -n '__jfrec_is stream watch metrics' -l for -x -d 'end after so long'
complete -c jfrec -n '__jfrec_is stream watch metrics' -l duration -x -d 'end after so long'
complete -c jfrec -n '__jfrec_is stream' -l unordered -d 'print events as they come'
complete -c jfrec -n '__jfrec_is stream watch metrics' -l follow -d 'go on with JVMs that are started later'
complete -c jfrec -n '__jfrec_is stream' -l on-slow -x -a 'drop wait' -d 'if the output is read too slowly'
complete -c jfrec -n '__jfrec_is stream' -l on -x -a '(__jfrec_event_names)' -d 'run a command if this event comes: EVENT or EVENT[expression]'
complete -c jfrec -n '__jfrec_is stream watch' -l exec -x -d 'the command'
complete -c jfrec -n '__jfrec_is stream' -l cooldown -x -d 'not again for so long'
complete -c jfrec -n '__jfrec_is watch' -l window -x -d 'judge this much at a time'
complete -c jfrec -n '__jfrec_is watch' -l min-severity -x -a 'info warning' -d 'report no less'
complete -c jfrec -n '__jfrec_is watch' -l fail-on -x -a 'info warning never' -d 'exit with 20 after such a finding'
complete -c jfrec -n '__jfrec_is watch' -l only -x -a '(__jfrec_rules)' -d 'apply only these rules'
complete -c jfrec -n '__jfrec_is watch' -l ignore -x -a '(__jfrec_rules)' -d 'only count what these rules find'
complete -c jfrec -n '__jfrec_is watch' -l limit -x -a '(__jfrec_rules)' -d 'set a limit, RULE.CLASS=VALUE'
complete -c jfrec -n '__jfrec_is watch' -l limits -r -F -d 'take limits from this file'
complete -c jfrec -n '__jfrec_is watch' -l rules -r -F -d 'also judge by the rules of this file'
complete -c jfrec -n '__jfrec_is metrics' -l listen -x -a '127.0.0.1:9464' -d 'serve them'
complete -c jfrec -n '__jfrec_is metrics' -s o -l output -r -F -d 'write the metrics to this file'
complete -c jfrec -n '__jfrec_is metrics' -l every -x -d 'replace that file so often'
complete -c jfrec -n '__jfrec_is configure' -l repository-path -x -d 'where the JVM keeps what it records'
complete -c jfrec -n '__jfrec_is configure' -l dump-path -x -d 'where it writes a recording when it crashes'
complete -c jfrec -n '__jfrec_is configure' -l preserve-repository -x -a 'true false' -d 'keep the repository at exit (JDK 21)'
complete -c jfrec -n '__jfrec_is configure' -l stack-depth -x -d 'frames of stack traces'
complete -c jfrec -n '__jfrec_is configure' -l max-chunk-size -x -d 'size of a file of the repository'
complete -c jfrec -n '__jfrec_is configure' -l memory-size -x -d 'size of all buffers'
complete -c jfrec -n '__jfrec_is configure' -l global-buffer-count -x -d 'number of shared buffers'
complete -c jfrec -n '__jfrec_is configure' -l global-buffer-size -x -d 'size of a shared buffer'
complete -c jfrec -n '__jfrec_is configure' -l thread-buffer-size -x -d 'size of a threads buffer'
complete -c jfrec -n '__jfrec_is configure' -l sample-threads -x -a 'true false' -d 'take samples of methods (JDK 8 to 17)'
complete -c jfrec -n '__jfrec_is doctor' -l attach -d 'start the attach listener if necessary'

complete -c jfrec -n '__jfrec_is help' -a 'list record start dump analyze report view flame summary print stop check configure doctor jcmd threads histogram heapdump query sql diff metadata merge filter split scrub repair symbolize stream watch metrics collect export settings config containers cookbook engines format ndjson recorder rules stacks tables topics where'

complete -c jfrec -n '__jfrec_is settings' -a active -d 'show the settings that a recording or JVM uses'
complete -c jfrec -n '__jfrec_is settings' -a cost -d 'show the space each event type takes, and how to save some'
complete -c jfrec -n '__jfrec_is settings-active settings-diff' -l off -d 'also show event types that are off'
complete -c jfrec -n '__jfrec_is settings-cost' -l set -x -a '(__jfrec_set)' -d 'show what this change would save or cost'
complete -c jfrec -n '__jfrec_is settings-cost' -l all -d 'all event types and changes'
complete -c jfrec -n '__jfrec_is settings-active settings-cost' -s j -l json -d 'print JSON'
complete -c jfrec -n '__jfrec_is metadata' -l jdk -x -d 'show the types of that JDK'
complete -c jfrec -n '__jfrec_is settings' -a list -d 'list the settings that have a name'
complete -c jfrec -n '__jfrec_is settings' -a explain -d 'explain an event or a profile'
complete -c jfrec -n '__jfrec_is settings-explain' -a '(__jfrec_settings)' -d 'profile'
complete -c jfrec -n '__jfrec_is settings-explain' -a '(__jfrec_event_names)' -d 'event'
complete -c jfrec -n '__jfrec_is settings-explain settings-check' -l jdk -x -d 'as in that JDK'
complete -c jfrec -n '__jfrec_is settings' -a show -d 'print settings as YAML, .jfc or JSON'
complete -c jfrec -n '__jfrec_is settings' -a set -d 'write settings with changes'
complete -c jfrec -n '__jfrec_is settings-show settings-set settings-check settings-diff' -F
complete -c jfrec -n '__jfrec_is settings-show settings-set settings-check settings-diff' -a '(__jfrec_settings)'
complete -c jfrec -n '__jfrec_is settings-list settings-show settings-set settings-check settings-diff settings-explain' -l jdk-home -r -d 'look up names in this JDK'
complete -c jfrec -n '__jfrec_is settings-show settings-set settings-active' -l yaml -d 'YAML'
complete -c jfrec -n '__jfrec_is settings-show settings-set settings-active' -l jfc -d 'a .jfc file'
complete -c jfrec -n '__jfrec_is analyze' -s o -l output -r -F -d 'keep what --duration records in FILE'
complete -c jfrec -n '__jfrec_is analyze' -l force -d 'replace that FILE if it exists'
complete -c jfrec -n '__jfrec_is settings-set' -s o -l output -r -F -d 'write to this file'
complete -c jfrec -n '__jfrec_is settings-set' -l force -d 'replace the file if it exists'
complete -c jfrec -n '__jfrec_is settings-set' -l mode -x -a '600 640 644' -d 'permissions of the file'
complete -c jfrec -n '__jfrec_is settings-list settings-show settings-explain settings-check settings-diff' -s j -l json -d 'print JSON'
complete -c jfrec -n '__jfrec_is settings' -a check -d 'find what a JVM would silently ignore'
complete -c jfrec -n '__jfrec_is settings' -a diff -d 'compare two settings'
complete -c jfrec -n '__jfrec_is settings-check' -l target -x -a '(__jfrec_jvms)' -d 'for this JVM'
complete -c jfrec -n '__jfrec_is config' -a show -d 'show the defaults in effect'
complete -c jfrec -n '__jfrec_is config-show' -s j -l json -d 'print JSON'
