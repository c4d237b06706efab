# fish completion for jfrec(1)
#
# tests/cli/face.sh compares the options of each command with
# "jfrec COMMAND --help": those behind __fish_use_subcommand are jfrec's own,
# the others those of each command that __fish_seen_subcommand_from names.

function __jfrec_recordings
    __fish_complete_suffix .jfr | string match -r '^[^\t]*(?:\.jfr|/)(?:\t.*)?$'
end

complete -c jfrec -f

complete -c jfrec -n __fish_use_subcommand -a print -d 'print the events of a recording'
complete -c jfrec -n __fish_use_subcommand -a summary -d 'count the events of a recording'
complete -c jfrec -n __fish_use_subcommand -a metadata -d 'show the types that a recording declares'
complete -c jfrec -n __fish_use_subcommand -a filter -d 'write a recording of some of the events'
complete -c jfrec -n __fish_use_subcommand -a merge -d 'write one recording of many'
complete -c jfrec -n __fish_use_subcommand -a split -d 'write the chunks of a recording to several files'
complete -c jfrec -n __fish_use_subcommand -a repair -d 'write a valid recording from a damaged one'
complete -c jfrec -n __fish_use_subcommand -a help -d 'show the help of a command'
complete -c jfrec -n __fish_use_subcommand -s h -l help -d 'show a short help'
complete -c jfrec -n __fish_use_subcommand -s V -l version -d 'show the version'

complete -c jfrec -n '__fish_seen_subcommand_from print summary metadata filter merge split repair' -a '(__jfrec_recordings)'
complete -c jfrec -n '__fish_seen_subcommand_from print summary metadata filter merge split repair' -s j -l json -d 'print JSON'
complete -c jfrec -n '__fish_seen_subcommand_from print' -s x -l xml -d 'print XML'
complete -c jfrec -n '__fish_seen_subcommand_from print metadata filter' -s e -l events -x -d 'only these event types'
complete -c jfrec -n '__fish_seen_subcommand_from print metadata filter' -s c -l categories -x -d 'only these categories'
complete -c jfrec -n '__fish_seen_subcommand_from print filter' -l where -x -d 'only events for which this holds'
complete -c jfrec -n '__fish_seen_subcommand_from print filter' -l threads -x -d 'only events of these threads'
complete -c jfrec -n '__fish_seen_subcommand_from print filter' -l exclude-threads -x -d 'no events of these threads'
complete -c jfrec -n '__fish_seen_subcommand_from print' -s d -l stack-depth -x -d 'print so many frames'
complete -c jfrec -n '__fish_seen_subcommand_from print' -l ndjson -d 'print a line of JSON for each event'
complete -c jfrec -n '__fish_seen_subcommand_from print' -l csv -d 'print a table of one event type'
complete -c jfrec -n '__fish_seen_subcommand_from print' -l tsv -d 'print the same, parted by tabs'
complete -c jfrec -n '__fish_seen_subcommand_from print' -l exact -d 'print numbers with full precision'
complete -c jfrec -n '__fish_seen_subcommand_from print' -l fields -x -d 'print only these fields'
complete -c jfrec -n '__fish_seen_subcommand_from print' -l flat -d 'print JSON lines with dotted keys'
complete -c jfrec -n '__fish_seen_subcommand_from print' -l stack -x -a 'frames string id none' -d 'choose the form of stack traces'
complete -c jfrec -n '__fish_seen_subcommand_from print' -l raw-ticks -d 'print times of JSON lines in ticks'
complete -c jfrec -n '__fish_seen_subcommand_from print filter merge' -l from -x -d 'only what ended at this time or later'
complete -c jfrec -n '__fish_seen_subcommand_from print filter merge' -l to -x -d 'only what began before this time'
complete -c jfrec -n '__fish_seen_subcommand_from print' -l limit -x -d 'print so many events at most'
complete -c jfrec -n '__fish_seen_subcommand_from print' -l sort -x -a 'time file' -d 'choose the order of events'
complete -c jfrec -n '__fish_seen_subcommand_from print' -l utc -d 'show times in UTC'
complete -c jfrec -n '__fish_seen_subcommand_from print' -l tz -x -d 'show times in a zone'
complete -c jfrec -n '__fish_seen_subcommand_from print' -l strict -d 'stop at the first damage'
complete -c jfrec -n '__fish_seen_subcommand_from print' -l count -d 'print only how many events there are'
complete -c jfrec -n '__fish_seen_subcommand_from filter' -l exclude-events -x -d 'no events of these types'
complete -c jfrec -n '__fish_seen_subcommand_from filter' -l exclude-categories -x -d 'no events of these categories'
complete -c jfrec -n '__fish_seen_subcommand_from filter' -l include-events -x -d 'only these event types'
complete -c jfrec -n '__fish_seen_subcommand_from filter' -l include-categories -x -d 'only these categories'
complete -c jfrec -n '__fish_seen_subcommand_from filter' -l include-threads -x -d 'only events of these threads'
complete -c jfrec -n '__fish_seen_subcommand_from filter merge repair' -s o -l output -r -F -d 'write to this file'
complete -c jfrec -n '__fish_seen_subcommand_from split' -s o -l output -x -a '(__fish_complete_directories)' -d 'write to this directory'
complete -c jfrec -n '__fish_seen_subcommand_from filter merge split repair' -l compress -x -a 'gzip zstd' -d 'compress what is written'
complete -c jfrec -n '__fish_seen_subcommand_from filter merge split repair' -l force -d 'replace what exists'
complete -c jfrec -n '__fish_seen_subcommand_from merge' -l max-size -x -d 'write only the newest chunks'
complete -c jfrec -n '__fish_seen_subcommand_from merge' -l max-age -x -d 'write only chunks of the last'
complete -c jfrec -n '__fish_seen_subcommand_from merge' -l compact -d 'make few large chunks of many'
complete -c jfrec -n '__fish_seen_subcommand_from merge' -l plain -d 'only join chunks'
complete -c jfrec -n '__fish_seen_subcommand_from split' -l chunks -x -d 'put so many chunks into a file'
complete -c jfrec -n '__fish_seen_subcommand_from split' -l size -x -d 'make files of at most this size'
complete -c jfrec -n '__fish_seen_subcommand_from split' -l events -x -d 'put so many events into a file'
complete -c jfrec -n '__fish_seen_subcommand_from split' -l duration -x -d 'make files of at most this time'
complete -c jfrec -n '__fish_seen_subcommand_from print summary metadata filter merge split repair' -s h -l help -d 'show a short help'

complete -c jfrec -n '__fish_seen_subcommand_from help' -a 'print summary metadata filter merge split repair help'
