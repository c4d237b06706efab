# bash completion for jfrec(1)
#
# tests/cli/face.sh compares the options of each "NAME) options=" with
# "jfrec NAME --help".
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

# A list separated by commas, of which the last name is being typed.
_jfrec_offer_event_list()
{
	local before='' i

	if [[ $cur == *,* ]]; then
		before=${cur%,*},
		cur=${cur##*,}
	fi
	_jfrec_offer_events ''
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
	local commands=(print summary view query sql metadata flame analyze diff report export filter merge split repair scrub symbolize list jcmd heapdump threads histogram start
		stop check dump record stream watch metrics collect configure settings config doctor help) command=jfrec options='' i
	local settings=(list show set check diff explain active cost)
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
	print) options='-j --json -x --xml --ndjson --csv --tsv -e --events
		-c --categories --where --threads --exclude-threads
		-d --stack-depth --exact --fields --flat --stack --raw-ticks --escape-formulas
		--from --to --limit --sort --utc --tz --strict --count
		--types-from --jobs --max-memory --max-spool -v --trace -h --help' ;;
	summary) options='-j --json --types-from --jobs --max-memory -v --trace -h --help' ;;
	view) options='--verbose --width --truncate --cell-height -j --json --ndjson --csv --sort --limit
		-e --events -c --categories --where --threads --exclude-threads
		--from --to --utc --tz --jvm --max-age --duration --every --views --types-from --jobs --max-memory --max-spool -v --trace -h --help' ;;
	query) options='--verbose --width --truncate --cell-height -j --json --ndjson --csv --sort --limit
		-e --events -c --categories --where --threads --exclude-threads
		--from --to --utc --tz --jvm --max-age --duration --every --types-from --jobs --max-memory --max-spool -v --trace -h --help' ;;
	sql) options='--tables --schema -j --json --ndjson --csv --timeout --jvm --max-age --duration
		-e --events -c --categories --threads --exclude-threads --where --from --to --utc --tz --types-from --max-memory --max-spool -v --trace -h --help' ;;
	metadata) options='-j --json -e --events -c --categories --jdk --types-from --max-memory -v --trace -h --help' ;;
	flame) options='--profile --type --weight --count -o --output --force --mode --format --title
		--top --least --include --exclude --by-thread --lines --bci --simple --norm --no-time --experimental --reverse
		--sampler
		--state --virtual --max-nodes
		--skip --depth -e --events -c --categories --threads --exclude-threads --where --from
		--to --utc --tz --jvm --max-age --duration --types-from --jobs --max-memory --max-spool --max-output -v --trace -h --help' ;;
	analyze) options='--all -o --output --force --min-severity --only --ignore --limit --limits --rules --baseline --format --fail-on --require --explain --list
		-j --json --ndjson --width -e --events -c --categories --threads --exclude-threads --where
		--from --to --utc --tz --jvm --max-age --duration --types-from --max-memory --max-spool -v --trace -h --help' ;;
	diff) options='--profile --total --per-second --per-cpu-second --before --after --top --fail-above -o --output
		--force --mode -j --json -e --events -c --categories --threads --exclude-threads --where
		--utc --tz --types-from --jobs --max-memory --max-spool --max-output -v --trace -h --help' ;;
	report) options='-o --output --force --mode --format -j --json --title --no-scrub --environment
		-e --events -c --categories --threads --exclude-threads --where
		--from --to --utc --tz --jvm --max-age --duration --types-from --jobs --max-memory --max-spool --max-output -v --trace -h --help' ;;
	export) options='-o --output --format --timestamps --stack --partition --label --label-from-name
		--force --mode -e --events -c --categories --threads --exclude-threads --where
		--from --to --utc --tz --types-from --max-memory --max-spool --max-output -v --trace -j --json -h --help' ;;
	filter) options='-e --events -c --categories --threads --exclude-threads
		--where --from --to --utc --tz --context --no-context --exclude-events --exclude-categories
		--include-events --include-categories --include-threads
		-o --output --compress --force --mode -j --json --types-from --max-memory --max-spool -v --trace -h --help' ;;
	merge) options='-o --output --compress --force --mode --from --to --utc --tz --max-size --max-age
		--compact --plain -j --json --types-from --max-memory --max-spool -v --trace -h --help' ;;
	split) options='-o --output --chunks --size --events --duration --compress
		--force --mode -j --json --types-from --max-memory --max-spool -v --trace -h --help' ;;
	repair) options='-o --output --compress --force --mode -j --json --types-from --max-memory -v --trace -h --help' ;;
	list) options='-l --long -r --recordings -j --json --container --user --all
		--timeout -v --trace --attach-anyway -h --help' ;;
	jcmd) options='-f --file --max-reply -j --json --container --user --all --timeout -v --trace --attach-anyway -h --help' ;;
	heapdump) options='-o --output --compress --force --mode --unreachable --container --user --all
		--timeout -v --trace --attach-anyway -j --json -h --help' ;;
	histogram) options='--unreachable --container --user --all --timeout -v --trace --attach-anyway -j --json -h --help' ;;
	threads) options='--container --user --all --timeout -v --trace --attach-anyway -j --json -h --help' ;;
	start) options='-n --name -s --settings --set --unchecked -d --duration --delay --max-age
		--max-size --filename --disk --no-disk --dump-on-exit --flush-interval
		--path-to-gc-roots --stack-depth --container --user --all --timeout -v --trace --attach-anyway -j
		--json -h --help' ;;
	stop) options='-o --output --compress --force --mode -n --name --discard --container --user
		--all --timeout -v --trace --attach-anyway -j --json -h --help' ;;
	check) options='-n --name --verbose --container --user --all --timeout -v --trace --attach-anyway -j
		--json -h --help' ;;
	dump) options='-o --output --compress --force --mode -n --name --begin --end --max-age
		--max-size --path-to-gc-roots --from-repository --full-speed --container --user
		--all --timeout -v --trace --attach-anyway -j --json --max-memory -h --help' ;;
	stream) options='-j --json --ndjson -e --events -c --categories --threads
		--exclude-threads --where --from --for --duration --follow -s --settings --set --unchecked
		--unordered --on-slow --on --exec --cooldown -d --stack-depth --fields --flat --utc --tz
		--container --user --all --timeout -v --trace --attach-anyway --max-memory -h --help' ;;
	watch) options='--ndjson --window --min-severity --fail-on --only --ignore --limit --limits --rules --exec
		--from --for --duration --follow -s --settings --set --unchecked --utc --tz
		--container --user --all --timeout -v --trace --attach-anyway --max-memory -h --help' ;;
	metrics) options='--listen -o --output --every -e --events -c --categories --threads --exclude-threads --where
		--from --for --duration --follow -s --settings --set --unchecked
		--container --user --all --timeout -v --trace --attach-anyway --max-memory -h --help' ;;
	record) options='-d --duration -o --output --compress --force --mode -s --settings --set --unchecked -n
		--name --max-age --max-size --path-to-gc-roots --stack-depth --container --user
		--timeout -v --trace --attach-anyway -j --json -h --help' ;;
	collect) options='-c --config --check -n --dry-run --interval --reap -q --quiet -j
		--json --max-memory -h --help' ;;
	configure) options='--repository-path --dump-path --preserve-repository --stack-depth
		--max-chunk-size --memory-size --global-buffer-count
		--global-buffer-size --thread-buffer-size --sample-threads --container
		--user --all --timeout -v --trace --attach-anyway -j --json -h --help' ;;
	config) options='-h --help' ;;
	config-show) options='-j --json -h --help' ;;
	settings) options='-h --help' ;;
	settings-active) options='--off --yaml --jfc -n --name --container --user --all --timeout -v --trace --attach-anyway
		-j --json --types-from --max-memory -h --help' ;;
	settings-cost) options='--set --all -j --json --types-from --max-memory -v --trace -h --help' ;;
	settings-list) options='--jdk-home -j --json -h --help' ;;
	settings-check) options='--target --jdk --jdk-home -j --json -h --help' ;;
	settings-diff) options='--off -n --name --jdk-home --timeout -v --trace --attach-anyway -j --json --max-memory -h --help' ;;
	settings-explain) options='--jdk --jdk-home -j --json -h --help' ;;
	settings-show) options='--yaml --jfc -j --json --jdk-home -h --help' ;;
	settings-set) options='-o --output --force --mode --yaml --jfc --jdk-home -h --help' ;;
	doctor) options='--attach --container --user --all --timeout -v --trace --attach-anyway -j --json
		-h --help' ;;
	scrub) options='--rules --hosts --paths --no-defaults --salt -n --dry-run
		--report -e --events -c --categories --threads --exclude-threads
		--where --from --to --utc --tz --exclude-events --exclude-categories
		--include-events --include-categories --include-threads
		-o --output --compress --force --mode -j --json --types-from --max-memory --max-spool -v --trace -h --help' ;;
	symbolize) options='--debug-dir --no-system -o --output --compress --force --mode -j --json
		--types-from --max-memory -v --trace -h --help' ;;
	esac

	# Readline makes "=" a word of its own.
	if [[ $cur == = ]]; then
		cur=
	elif [[ $prev == = ]]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
		[[ $prev == --* ]] || return
	fi
	# -n does not mean name, and -e, -d, -c mean something else, for some commands.
	case $command:$prev in
	collect:-n | scrub:-n) prev= ;;
	collect:-c | jfrec:--config | collect:--config)
		_jfrec_offer_files ''
		return
		;;
	export:-o | export:--output | split:-o | split:--output)
		_jfrec_offer_files
		return
		;;
	start:-n | start:--name | record:-n | record:--name | split:--events) return ;;
	esac
	case $prev in
	-f | --file | -o | --output | --rules | --views | --report | --types-from)
		_jfrec_offer_files ''
		return
		;;
	--jdk-home)
		_jfrec_offer_files
		return
		;;
	--target)
		_jfrec_offer_jvms
		return
		;;
	-e | --events | --include-events | --exclude-events)
		_jfrec_offer_event_list
		return
		;;
	--on)
		_jfrec_offer_events ''
		return
		;;
	--set)
		compopt -o nospace
		[[ $cur == *'#'* ]] || _jfrec_offer_events '#'
		COMPREPLY=("${COMPREPLY[@]//\\#/#}")
		return
		;;
	-n | --name)
		_jfrec_offer_recordings
		return
		;;
	--tz)
		_jfrec_offer_zones
		return
		;;
	--only | --ignore | --require | --explain)
		[[ $command != analyze && $command != watch ]] ||
			_jfrec_offer_rules
		return
		;;
	-c | --categories | --where | --threads | --exclude-threads | \
		--exclude-categories | --include-categories | --include-threads | \
		-d | --stack-depth | --fields | --from | --to | --for | --window | --chunks | --size | \
		--container | --timeout | --jdk | --exec | --cooldown | \
		--width | --cell-height | --duration | --delay | --interval | --every | --max-age | --max-size | --max-memory | --max-spool | --max-output | --jobs | --max-nodes | --state | --filename | --flush-interval | \
		--begin | --end | --repository-path | --dump-path | --max-chunk-size | \
		--memory-size | --global-buffer-count | --global-buffer-size | \
		--thread-buffer-size | --salt | --label | --label-from-name)
		return
		;;
	--listen)
		_jfrec_offer 127.0.0.1:9464
		return
		;;
	-s | --settings)
		_jfrec_offer none
		_jfrec_offer_settings
		_jfrec_offer_files .jfc .yaml .yml
		return
		;;
	--min-severity)
		_jfrec_offer info warning
		return
		;;
	--fail-on)
		_jfrec_offer info warning never
		return
		;;
	--format)
		[[ $command != export ]] || _jfrec_offer parquet sqlite
		return
		;;
	--timestamps)
		_jfrec_offer us ns
		return
		;;
	--partition)
		_jfrec_offer date
		return
		;;
	--compress)
		_jfrec_offer gzip zstd none
		return
		;;
	--mode)
		_jfrec_offer 600 640 644
		return
		;;
	--preserve-repository | --sample-threads)
		_jfrec_offer true false
		return
		;;
	--user)
		mapfile -t COMPREPLY < <(compgen -u -- "$cur")
		return
		;;
	--stack)
		if [[ $command = export ]]; then
			_jfrec_offer string frames
		else
			_jfrec_offer frames string id none
		fi
		return
		;;
	--truncate)
		_jfrec_offer beginning end
		return
		;;
	--sampler)
		_jfrec_offer cpu-time execution
		return
		;;
	--norm | --virtual)
		_jfrec_offer yes no
		return
		;;
	--on-slow)
		_jfrec_offer drop wait
		return
		;;
	--sort)
		[[ $command == @(view|query) ]] || _jfrec_offer time file duration
		return
		;;
	esac

	if [[ $cur == -* ]]; then
		read -rd '' -a words <<<"$options"
		_jfrec_offer "${words[@]}"
		return
	fi
	case $command in
	jfrec) _jfrec_offer "${commands[@]}" ;;
	help) _jfrec_offer "${commands[@]}" containers cookbook engines format ndjson recorder rules stacks tables topics where ;;
	config) _jfrec_offer show ;;
	settings) _jfrec_offer "${settings[@]}" ;;
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
	list | heapdump | threads | histogram | start | stop | check | dump | record | configure | doctor) _jfrec_offer_jvms ;;
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
