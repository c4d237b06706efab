# bash completion for jfrec(1)
#
# tests/cli/completions.py makes what stands between "Made by" and "End of"; the rest is written by
# hand.
#
# Names of files, JVMs and recordings are whatever somebody chose to call them.  They
# are read into arrays, compared and quoted, and never expanded: no `compgen -W` for
# them, and no `eval`.  tests/cli/completion.py tries it.

# Offer those words that begin with what was typed.
_jfrec_offer()	# WORD...
{
	local word quoted

	for word; do
		if [[ $word == "$cur"* ]]; then
			printf -v quoted %q "$word"
			COMPREPLY+=("$quoted")
		fi
	done
}

# The JVMs by pid; where there are several to choose from, their main classes beside them.
_jfrec_offer_jvms()
{
	local LC_ALL=C pid rest main pids=() lines=()

	while read -r pid rest; do
		if [[ $pid == [1-9]* && $pid != *[!0-9]* && $pid == "$cur"* ]]; then
			main=${rest##* }
			pids+=("$pid")
			lines+=("$pid  (${main//[!A-Za-z0-9._\/-]/?})")
		fi
	done < <(jfrec list 2>/dev/null)
	# The words are listed, and only what they have in common is inserted.
	if [[ ${#pids[@]} -gt 1 && $COMP_TYPE == @(63|33|64) ]]; then
		COMPREPLY+=("${lines[@]}")
	else
		COMPREPLY+=("${pids[@]}")
	fi
}

# Those by name.  They stand beside files, and what readline quotes as a file may not be quoted
# enough for a word: only plain ones.
_jfrec_offer_settings()
{
	local name rest names=()

	while read -r name rest; do
		[[ $name == *[!A-Za-z0-9._-]* ]] || names+=("$name")
	done < <(jfrec settings list 2>/dev/null)
	_jfrec_offer "${names[@]}"
}

_jfrec_offer_settings_or_none()
{
	_jfrec_offer none
	_jfrec_offer_settings
	_jfrec_offer_files .jfc .yaml .yml
}

# The event types of the recording that is on the command line, or, without one, those that JDKs have.
# What they are called is up to the recording: only plain names.
_jfrec_event_types()
{
	local word from=(--jdk 25)

	for word in "${COMP_WORDS[@]:2}"; do
		word=${word//\\/}
		word=${word#[\"\']}
		word=${word%[\"\']}
		[[ $word == *.jfr?(.gz|.zst|.lz4|.xz|.bz2) && -f $word ]] && from=("${word/#-/./-}")
	done
	jfrec metadata "${from[@]}" 2>/dev/null | awk -F'"' '
		/^@Name/ { name = $2 }
		/ extends jdk.jfr.Event/ && name !~ /[^A-Za-z0-9_.$]/ { print name }'
}

# Event types; without jdk. where what was typed begins without it.
_jfrec_offer_events()	# SUFFIX
{
	local name names=()

	while read -r name; do
		[[ $cur == [A-Z]* ]] && name=${name#jdk.}
		names+=("$name$1")
	done < <(_jfrec_event_types)
	_jfrec_offer "${names[@]}"
}

# The event of EVENT#SETTING=VALUE.
_jfrec_offer_set()
{
	compopt -o nospace
	[[ $cur == *'#'* ]] || _jfrec_offer_events '#'
	COMPREPLY=("${COMPREPLY[@]//\\#/#}")
}

# A list separated by commas, of which the last name is being typed, and offered by a command.
_jfrec_offer_listed()	# COMMAND...
{
	local before='' i

	if [[ $cur == *,* ]]; then
		before=${cur%,*},
		cur=${cur##*,}
	fi
	"$@"
	for i in "${!COMPREPLY[@]}"; do
		COMPREPLY[i]=$before${COMPREPLY[i]}
	done
}

# The recordings of the JVM whose pid is on the command line: it is asked, for two seconds at most.
_jfrec_offer_recordings()
{
	local word pid='' id name names=()

	for word in "${COMP_WORDS[@]:1}"; do
		[[ $word && $word != *[!0-9]* ]] && pid=$word
	done
	[[ $pid ]] || return
	while read -r id _ _ _ _ name; do
		[[ $id != *[!0-9]* && $name ]] && names+=("$name")
	done < <(jfrec check --timeout 2s "$pid" 2>/dev/null)
	_jfrec_offer "${names[@]}"
}

_jfrec_offer_users()
{
	mapfile -t COMPREPLY < <(compgen -u -- "$cur")
}

_jfrec_offer_zones()
{
	local kind name link rest names=(UTC)

	while read -r kind name link rest; do
		case $kind in
		Z) names+=("$name") ;;
		L) names+=("$link") ;;
		esac
	done < <(cat /usr/share/zoneinfo/tzdata.zi 2>/dev/null)
	_jfrec_offer "${names[@]}"
}

# Files with these suffixes, and directories.  What was typed comes without its
# quoting; readline quotes again.
_jfrec_offer_files()	# SUFFIX...
{
	local suffix name
	local typed=${cur//\\/}

	typed=${typed#[\"\']}
	compopt -o filenames
	for suffix; do
		while IFS= read -r name; do
			COMPREPLY+=("$name")
		done < <(compgen -f -X "!*$suffix" -- "$typed")
	done
	while IFS= read -r name; do
		COMPREPLY+=("$name")
	done < <(compgen -d -- "$typed")
}

# The rules of jfrec analyze.
_jfrec_offer_rules()
{
	local name rest names=()

	while read -r name rest; do
		names+=("$name")
	done < <(jfrec analyze --list 2>/dev/null)
	_jfrec_offer "${names[@]}"
}

# The views, and what else can be shown.
_jfrec_offer_views()
{
	local names

	read -rd '' -a names < <(jfrec view views 2>/dev/null | grep '^ ')
	_jfrec_offer "${names[@]}" views types all-views all-events
}

# Has the command line a word for the JVM before this one?
_jfrec_has_jvm()
{
	local i

	for ((i = 2; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} != -* && ${COMP_WORDS[i - 1]} != -* ]] && return 0
	done
	return 1
}

_jfrec()
{
	local IFS=$' \t\n' cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local command=jfrec options='' i
	# Made by tests/cli/completions.py: commands
	local commands=(list record start dump analyze report view flame summary print
		stop check configure doctor jcmd top threads histogram heapdump snapshot query sql
		diff trace metadata merge filter split scrub repair symbolize stream watch metrics
		collect export mcp settings config help)
	local settings_commands=(list show set check diff explain active cost)
	local config_commands=(show)
	local topics=(cookbook containers engines recorder rules where format ndjson
		stacks tables topics)
	# End of commands
	local recordings=(.jfr .jfr.gz .jfr.zst .jfr.lz4 .jfr.xz .jfr.bz2
		.zip .tar .tgz .tar.gz .tar.zst .tar.xz .tar.bz2) words
	# What HotSpot of JDK 8 to 28 has; `jfrec jcmd PID help` shows those of one.
	local diagnostic=(AOT.end_recording Compiler.codecache Compiler.codelist
		Compiler.directives_add Compiler.directives_clear Compiler.directives_print
		Compiler.directives_remove Compiler.memory Compiler.perfmap Compiler.queue
		GC.class_histogram GC.class_stats GC.finalizer_info GC.heap_dump GC.heap_info
		GC.rotate_log GC.run GC.run_finalization JFR.check JFR.configure JFR.dump
		JFR.start JFR.stop JFR.view JVMTI.agent_load JVMTI.data_dump
		ManagementAgent.start ManagementAgent.start_local ManagementAgent.status
		ManagementAgent.stop System.dump_map System.map System.native_heap_info
		System.trim_native_heap Thread.dump_to_file Thread.print
		Thread.vthread_pollers Thread.vthread_scheduler VM.cds VM.class_hierarchy
		VM.class_print_layout VM.classes VM.classloader_stats VM.classloaders
		VM.command_line VM.dynlibs VM.events VM.flags VM.info VM.log VM.metaspace
		VM.native_memory VM.print_touched_methods VM.security_properties VM.set_flag
		VM.stringtable VM.symboltable VM.system_properties VM.systemdictionary
		VM.unlock_commercial_features VM.uptime VM.version help)
	COMPREPLY=()

	for ((i = 1; i < COMP_CWORD; i++)); do
		if [[ $command == jfrec && ${COMP_WORDS[i]} == --config ]]; then
			((i++))
		elif [[ ${COMP_WORDS[i]} != -* ]]; then
			if [[ $command =~ ^(settings|config)$ ]]; then
				command+=-${COMP_WORDS[i]}
				break
			fi
			command=${COMP_WORDS[i]}
			[[ $command =~ ^(settings|config)$ ]] || break
		fi
	done

	case $command in
	jfrec) options='--config --no-config -h --help -V --version' ;;
	# Made by tests/cli/completions.py: options
	list) options='--container --user --all -l --long -r --recordings -j --json
		--timeout -v --trace --attach-anyway -h --help' ;;
	record) options='-d --duration -o --output --compress --force --mode -s --settings
		--set --unchecked -n --name --max-age --max-size --path-to-gc-roots --stack-depth
		--container --user --timeout -v --trace --attach-anyway -j --json -h --help' ;;
	start) options='-n --name -s --settings --set --unchecked -d --duration --delay
		--max-age --max-size --filename --disk --no-disk --dump-on-exit --flush-interval
		--path-to-gc-roots --stack-depth --container --user --all --timeout -v --trace
		--attach-anyway -j --json -h --help' ;;
	dump) options='-o --output --compress --force --mode -n --name --begin --end
		--max-age --max-size --path-to-gc-roots --from-repository --full-speed
		--max-memory --container --user --all --timeout -v --trace --attach-anyway -j
		--json -h --help' ;;
	analyze) options='--all --min-severity --only --ignore --limit --limits --rules
		--baseline --fail-on --require --explain --list -j --json --ndjson --format
		--width --jvm --max-age --duration -o --output --force -e --events -c --categories
		--threads --exclude-threads --where --during --outside --from --to --utc --tz
		--types-from --jobs --max-memory --max-spool -v --trace -h --help' ;;
	report) options='-o --output --force --mode --format -j --json --title --no-scrub
		--environment --jvm --max-age --duration -e --events -c --categories --threads
		--exclude-threads --where --during --outside --from --to --utc --tz --types-from
		--jobs --max-memory --max-spool --max-output -v --trace -h --help' ;;
	view) options='--verbose --width --truncate --cell-height -j --json --ndjson --csv
		--sort --limit --jvm --max-age --duration --every -e --events -c --categories
		--threads --exclude-threads --where --during --outside --from --to --utc --tz
		--types-from --jobs --max-memory --max-spool -v --trace --views --by -h --help' ;;
	flame) options='--profile --type --weight --count -o --output --force --mode
		--format --experimental --jvm --max-age --duration --sampler --title --top --least
		--include --exclude --by-thread --lines --bci --simple --norm --reverse --no-time
		--state --virtual --max-nodes --skip --depth -e --events -c --categories --threads
		--exclude-threads --where --during --outside --by --label --from --to --utc --tz
		--types-from --jobs --max-memory --max-spool --max-output -v --trace -h --help' ;;
	summary) options='--types-from --jobs --max-memory -v --trace --counts -j --json
		-h --help' ;;
	print) options='-j --json -x --xml --ndjson --csv --tsv --escape-formulas --exact
		-e --events -c --categories --threads --exclude-threads --where --during --outside
		--from --to -d --stack-depth --fields --flat --stack --raw-ticks --limit --sort
		--utc --tz --strict --types-from --max-memory --max-spool -v --trace --count
		--jobs -h --help' ;;
	stop) options='-o --output --compress --force --mode -n --name --discard
		--container --user --all --timeout -v --trace --attach-anyway -j --json -h
		--help' ;;
	check) options='-n --name --verbose --container --user --all --timeout -v --trace
		--attach-anyway -j --json -h --help' ;;
	configure) options='--repository-path --dump-path --preserve-repository
		--stack-depth --max-chunk-size --memory-size --global-buffer-count
		--global-buffer-size --thread-buffer-size --sample-threads --container --user
		--all --timeout -v --trace --attach-anyway -j --json -h --help' ;;
	doctor) options='--attach --self --container --user --all --timeout -v --trace
		--attach-anyway -j --json -h --help' ;;
	jcmd) options='-f --file --max-reply -j --json --container --user --all --timeout
		-v --trace --attach-anyway -h --help' ;;
	top) options='--every --sort --once --no-findings --jvm --container --user -j
		--json --ndjson -h --help' ;;
	threads) options='--raw --virtual --locks --samples --interval --fail-on
		--container --user --all --timeout -v --trace --attach-anyway -j --json -h
		--help' ;;
	histogram) options='--unreachable --container --user --all --timeout -v --trace
		--attach-anyway -j --json -h --help' ;;
	heapdump) options='-o --output --compress --force --mode --unreachable --container
		--user --all --timeout -v --trace --attach-anyway -j --json -h --help' ;;
	snapshot) options='-o --output --force -d --duration --max-age --histogram
		--heapdump --raw --container --user --timeout -v --trace --attach-anyway -j --json
		-h --help' ;;
	query) options='--verbose --width --truncate --cell-height -j --json --ndjson
		--csv --sort --limit --jvm --max-age --duration --every -e --events -c
		--categories --threads --exclude-threads --where --during --outside --from --to
		--utc --tz --types-from --jobs --max-memory --max-spool -v --trace -h --help' ;;
	sql) options='--tables --schema -j --json --ndjson --csv --timeout --jvm --max-age
		--duration -e --events -c --categories --threads --exclude-threads --where
		--during --outside --from --to --utc --tz --types-from --max-memory --max-spool -v
		--trace -h --help' ;;
	diff) options='--profile --total --per-second --per-cpu-second --before --after
		--top --fail-above -o --output --force --mode -j --json -e --events -c
		--categories --threads --exclude-threads --where --during --outside --utc --tz
		--types-from --jobs --max-memory --max-spool --max-output -v --trace -h --help' ;;
	trace) options='--of --top --jvm --max-age --duration --from --to --utc --tz -j
		--json --types-from --jobs --max-memory --max-spool -v --trace -h --help' ;;
	metadata) options='-j --json -e --events -c --categories --types-from --max-memory
		-v --trace --jdk -h --help' ;;
	merge) options='-o --output --compress --force --mode --from --to --utc --tz
		--max-size --max-age --compact --plain --types-from --max-memory --max-spool -v
		--trace -j --json -h --help' ;;
	filter) options='-e --events -c --categories --threads --exclude-threads --where
		--during --outside --from --to --utc --tz --exclude-events --exclude-categories
		--include-events --include-categories --include-threads -o --output --compress
		--force --mode --types-from --jobs --max-memory --max-spool -v --trace --context
		--no-context -j --json -h --help' ;;
	split) options='-o --output --chunks --size --events --duration --compress --force
		--mode --types-from --max-memory --max-spool -v --trace -j --json -h --help' ;;
	scrub) options='--rules --hosts --paths --no-defaults --salt -n --dry-run --report
		-e --events -c --categories --threads --exclude-threads --where --from --to --utc
		--tz --exclude-events --exclude-categories --include-events --include-categories
		--include-threads -o --output --compress --force --mode --types-from --jobs
		--max-memory --max-spool -v --trace -j --json -h --help' ;;
	repair) options='-o --output --compress --force --mode --types-from --max-memory
		-v --trace -j --json -h --help' ;;
	symbolize) options='--debug-dir --no-system -o --output --compress --force --mode
		--types-from --jobs --max-memory -v --trace -j --json -h --help' ;;
	stream) options='-j --json --ndjson -e --events -c --categories --threads
		--exclude-threads --where --from --for --duration --follow -s --settings --set
		--unchecked --unordered --on-slow -d --stack-depth --fields --flat --utc --tz --on
		--exec --cooldown --max-memory --container --user --all --timeout -v --trace
		--attach-anyway -h --help' ;;
	watch) options='--ndjson --window --min-severity --fail-on --only --ignore --limit
		--limits --rules --exec --from --for --duration --follow -s --settings --set
		--unchecked --utc --tz --max-memory --container --user --all --timeout -v --trace
		--attach-anyway -h --help' ;;
	metrics) options='--listen -o --output --every -e --events -c --categories
		--threads --exclude-threads --where --from --for --duration --follow -s --settings
		--set --unchecked --max-memory --container --user --all --timeout -v --trace
		--attach-anyway -h --help' ;;
	collect) options='-c --config --check -n --dry-run --interval --reap --max-memory
		-q --quiet -j --json -h --help' ;;
	export) options='-o --output --format --timestamps --stack --partition --label
		--label-from-name --force --mode -e --events -c --categories --threads
		--exclude-threads --where --during --outside --from --to --utc --tz --types-from
		--jobs --max-memory --max-spool --max-output -v --trace -j --json -h --help' ;;
	mcp) options='--root --live --out --max-disk --max-reply --max-time --salt --log
		--skill -h --help' ;;
	settings) options='-h --help' ;;
	config) options='-h --help' ;;
	settings-list) options='--jdk-home -j --json -h --help' ;;
	settings-show) options='--yaml --jfc -j --json --jdk-home -h --help' ;;
	settings-set) options='-o --output --force --mode --yaml --jfc --jdk-home -h
		--help' ;;
	settings-check) options='--target --jdk -j --json --jdk-home -h --help' ;;
	settings-diff) options='--off -n --name --max-memory -j --json --jdk-home
		--timeout -v --trace --attach-anyway -h --help' ;;
	settings-explain) options='--jdk --jdk-home -j --json -h --help' ;;
	settings-active) options='--off --yaml --jfc -n --name --types-from --max-memory
		--container --user --all --timeout -v --trace --attach-anyway -j --json -h
		--help' ;;
	settings-cost) options='--set --all --types-from --max-memory -v --trace -j --json
		-h --help' ;;
	config-show) options='-j --json -h --help' ;;
	# End of options
	esac

	# Readline makes "=" a word of its own.
	if [[ $cur == = ]]; then
		cur=
	elif [[ $prev == = ]]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
		[[ $prev == --* ]] || return
	fi
	# A letter may stand for different options of different commands.
	case $command:$prev in
	# Made by tests/cli/completions.py: letters
	collect:-c) prev=--config ;;
	print:-d | stream:-d) prev=--stack-depth ;;
	scrub:-n | collect:-n) prev= ;;
	*:-c) prev=--categories ;;
	*:-d) prev=--duration ;;
	*:-e) prev=--events ;;
	*:-f) prev=--file ;;
	*:-j | *:-l | *:-q | *:-r | *:-v | *:-x) prev= ;;
	*:-n) prev=--name ;;
	*:-o) prev=--output ;;
	*:-s) prev=--settings ;;
	# End of letters
	esac
	case $command:$prev in
	jfrec:--config)
		_jfrec_offer_files ''
		return
		;;
	# Made by tests/cli/completions.py: values
	analyze:--duration | report:--duration | view:--duration | flame:--duration | \
		snapshot:--duration | query:--duration | sql:--duration)
		_jfrec_offer 10s 30s 2m
		return
		;;
	split:--events | metrics:--every | record:--max-age | start:--max-age | \
		dump:--max-age | trace:--max-age | merge:--max-age | record:--name | start:--name)
		return
		;;
	threads:--fail-on)
		_jfrec_offer deadlock never
		return
		;;
	report:--format)
		_jfrec_offer html json markdown
		return
		;;
	flame:--format)
		_jfrec_offer html svg pprof firefox perfetto json collapsed text otlp
		return
		;;
	export:--format)
		_jfrec_offer parquet sqlite
		return
		;;
	stream:--from | watch:--from | metrics:--from)
		_jfrec_offer start now
		return
		;;
	analyze:--limit | watch:--limit)
		_jfrec_offer_rules
		return
		;;
	split:--output | export:--output)
		_jfrec_offer_files
		return
		;;
	print:--sort)
		_jfrec_offer time file duration
		return
		;;
	top:--sort)
		_jfrec_offer cpu memory heap gc threads finding name pid
		return
		;;
	export:--stack)
		_jfrec_offer string frames
		return
		;;
	record:--stack-depth | start:--stack-depth)
		_jfrec_offer 160 keep
		return
		;;
	sql:--timeout)
		_jfrec_offer 10s 30s 5m
		return
		;;
	threads:--virtual) ;;
	*:--after | *:--before | *:--begin | *:--by | *:--categories | *:--cell-height | \
		*:--chunks | *:--container | *:--cooldown | *:--delay | *:--depth | \
		*:--dump-path | *:--duration | *:--during | *:--end | *:--exclude | \
		*:--exclude-categories | *:--exclude-threads | *:--exec | *:--fail-above | \
		*:--fields | *:--filename | *:--flush-interval | *:--for | *:--from | \
		*:--global-buffer-count | *:--global-buffer-size | *:--include | \
		*:--include-categories | *:--include-threads | *:--interval | *:--jdk | *:--jobs | \
		*:--label | *:--label-from-name | *:--least | *:--limit | *:--log | \
		*:--max-chunk-size | *:--max-disk | *:--max-nodes | *:--max-reply | *:--max-size | \
		*:--max-time | *:--memory-size | *:--out | *:--repository-path | *:--root | \
		*:--salt | *:--samples | *:--size | *:--skip | *:--sort | *:--stack-depth | \
		*:--thread-buffer-size | *:--threads | *:--timeout | *:--title | *:--to | \
		*:--top | *:--weight | *:--where | *:--width | *:--window)
		return
		;;
	*:--baseline | *:--config | *:--file | *:--limits | *:--output | *:--report | \
		*:--rules | *:--types-from | *:--views)
		_jfrec_offer_files ''
		return
		;;
	*:--compress)
		_jfrec_offer gzip zstd none
		return
		;;
	*:--debug-dir | *:--jdk-home)
		_jfrec_offer_files
		return
		;;
	*:--events | *:--exclude-events | *:--include-events | *:--of)
		_jfrec_offer_listed _jfrec_offer_events ''
		return
		;;
	*:--every)
		_jfrec_offer 2s 10s 1m
		return
		;;
	*:--explain | *:--ignore | *:--require)
		_jfrec_offer_rules
		return
		;;
	*:--fail-on)
		_jfrec_offer info warning never
		return
		;;
	*:--format)
		_jfrec_offer text json ndjson markdown sarif junit
		return
		;;
	*:--jvm | *:--target)
		_jfrec_offer_jvms
		return
		;;
	*:--listen)
		_jfrec_offer 127.0.0.1:9464
		return
		;;
	*:--max-age)
		_jfrec_offer 2m 10m 1h
		return
		;;
	*:--max-memory)
		_jfrec_offer 256M 512M 1G 2G
		return
		;;
	*:--max-output)
		_jfrec_offer 1G 8G none
		return
		;;
	*:--max-spool)
		_jfrec_offer 1G 4G 16G
		return
		;;
	*:--min-severity)
		_jfrec_offer info warning
		return
		;;
	*:--mode)
		_jfrec_offer 600 640 644
		return
		;;
	*:--name)
		_jfrec_offer_recordings
		return
		;;
	*:--norm | *:--virtual)
		_jfrec_offer yes no
		return
		;;
	*:--on | *:--type)
		_jfrec_offer_events ''
		return
		;;
	*:--on-slow)
		_jfrec_offer drop wait
		return
		;;
	*:--only)
		_jfrec_offer_listed _jfrec_offer_rules
		return
		;;
	*:--partition)
		_jfrec_offer date
		return
		;;
	*:--preserve-repository | *:--sample-threads)
		_jfrec_offer true false
		return
		;;
	*:--profile)
		_jfrec_offer_listed _jfrec_offer cpu wall native alloc live holders lock io exceptions native-memory native-leaks trace
		return
		;;
	*:--sampler)
		_jfrec_offer cpu-time execution
		return
		;;
	*:--set)
		_jfrec_offer_set
		return
		;;
	*:--settings)
		_jfrec_offer_settings_or_none
		return
		;;
	*:--stack)
		_jfrec_offer frames string id none
		return
		;;
	*:--state)
		_jfrec_offer_listed _jfrec_offer runnable sleeping in-object-wait parked
		return
		;;
	*:--timestamps)
		_jfrec_offer us ns
		return
		;;
	*:--truncate)
		_jfrec_offer beginning end
		return
		;;
	*:--tz)
		_jfrec_offer_zones
		return
		;;
	*:--user)
		_jfrec_offer_users
		return
		;;
	# End of values
	esac

	if [[ $cur == -* ]]; then
		read -rd '' -a words <<<"$options"
		_jfrec_offer "${words[@]}"
		return
	fi
	case $command in
	jfrec) _jfrec_offer "${commands[@]}" ;;
	help) _jfrec_offer "${commands[@]}" "${topics[@]}" ;;
	config) _jfrec_offer "${config_commands[@]}" ;;
	settings) _jfrec_offer "${settings_commands[@]}" ;;
	settings-list | config-show | collect) ;;
	settings-explain)
		_jfrec_offer_settings
		_jfrec_offer_events ''
		;;
	settings-active)
		_jfrec_offer_jvms
		_jfrec_offer_files "${recordings[@]}"
		;;
	settings-cost) _jfrec_offer_files "${recordings[@]}" ;;
	settings-diff)
		_jfrec_offer_settings
		_jfrec_offer_jvms
		_jfrec_offer_files ''
		;;
	settings-*)
		_jfrec_offer_settings
		_jfrec_offer_files .jfc .yaml .yml
		;;
	jcmd)
		if _jfrec_has_jvm; then
			_jfrec_offer "${diagnostic[@]}"
		else
			_jfrec_offer_jvms
		fi
		;;
	list | top | heapdump | threads | histogram | start | stop | check | dump | record | configure | doctor) _jfrec_offer_jvms ;;
	view)
		if ! _jfrec_has_jvm; then
			_jfrec_offer_views
			[[ $cur ]] && _jfrec_offer_events ''
		fi
		_jfrec_offer_files "${recordings[@]}"
		;;
	stream | watch | metrics)
		_jfrec_offer_jvms
		_jfrec_offer_files
		;;
	*) [[ $options ]] && _jfrec_offer_files "${recordings[@]}" ;;
	esac
}

complete -F _jfrec jfrec
