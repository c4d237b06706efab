# bash completion for jfrec(1)
#
# tests/cli/face.sh compares the options of each "NAME) options=" with
# "jfrec NAME --help".

_jfrec()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local commands='print summary metadata filter merge split repair scrub list jcmd start
		stop check dump record stream collect configure settings config doctor help' command=jfrec options='' i
	local settings='list show set check diff explain active cost'
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
		-d --stack-depth --exact --fields --flat --stack --raw-ticks
		--from --to --limit --sort --utc --tz --strict --count
		-h --help' ;;
	summary) options='-j --json -h --help' ;;
	metadata) options='-j --json -e --events -c --categories --jdk -h --help' ;;
	filter) options='-e --events -c --categories --threads --exclude-threads
		--where --from --to --exclude-events --exclude-categories
		--include-events --include-categories --include-threads
		-o --output --compress --force --mode -j --json -h --help' ;;
	merge) options='-o --output --compress --force --mode --from --to --max-size --max-age
		--compact --plain -j --json -h --help' ;;
	split) options='-o --output --chunks --size --events --duration --compress
		--force --mode -j --json -h --help' ;;
	repair) options='-o --output --compress --force --mode -j --json -h --help' ;;
	list) options='-l --long -r --recordings -j --json --container --user
		--timeout -v --trace -h --help' ;;
	jcmd) options='-f --file -j --json --container --user --all --timeout -v --trace -h --help' ;;
	start) options='-n --name -s --settings --set -d --duration --delay --max-age
		--max-size --filename --disk --no-disk --dump-on-exit --flush-interval
		--path-to-gc-roots --container --user --all --timeout -v --trace -j
		--json -h --help' ;;
	stop) options='-o --output --compress --force --mode -n --name --discard --container --user
		--all --timeout -v --trace -j --json -h --help' ;;
	check) options='-n --name --verbose --container --user --all --timeout -v --trace -j
		--json -h --help' ;;
	dump) options='-o --output --compress --force --mode -n --name --begin --end --max-age
		--max-size --path-to-gc-roots --from-repository --container --user
		--all --timeout -v --trace -j --json -h --help' ;;
	stream) options='-j --json --ndjson -e --events -c --categories --threads
		--exclude-threads --where --from --for --unordered --follow --on-slow
		--on --exec --cooldown --metrics --listen -s --settings --set -d --stack-depth --fields --flat --utc --tz
		--container --user --all --timeout -v --trace -h --help' ;;
	record) options='-d --duration -o --output --compress --force --mode -s --settings --set -n
		--name --max-age --max-size --path-to-gc-roots --container --user
		--timeout -v --trace -j --json -h --help' ;;
	collect) options='-c --config --check -n --dry-run --interval --reap -q --quiet -j
		--json -h --help' ;;
	configure) options='--repository-path --dump-path --preserve-repository --stack-depth
		--max-chunk-size --memory-size --global-buffer-count
		--global-buffer-size --thread-buffer-size --sample-threads --container
		--user --all --timeout -v --trace -j --json -h --help' ;;
	config) options='-h --help' ;;
	config-show) options='-j --json -h --help' ;;
	settings) options='-h --help' ;;
	settings-active) options='--off --yaml --jfc -n --name --container --user --all --timeout -v --trace
		-j --json -h --help' ;;
	settings-cost) options='--set --all -j --json -h --help' ;;
	settings-list) options='--jdk-home -j --json -h --help' ;;
	settings-check) options='--target --jdk --jdk-home -j --json -h --help' ;;
	settings-diff) options='--off -n --name --jdk-home --timeout -v --trace -j --json -h --help' ;;
	settings-explain) options='--jdk -j --json -h --help' ;;
	settings-show) options='--yaml --jfc -j --json --jdk-home -h --help' ;;
	settings-set) options='-o --output --force --mode --yaml --jfc --jdk-home -h --help' ;;
	doctor) options='--attach --container --user --all --timeout -v --trace -j --json
		-h --help' ;;
	scrub) options='--rules --hosts --paths --no-defaults --salt -n --dry-run
		--report -e --events -c --categories --threads --exclude-threads
		--where --from --to --exclude-events --exclude-categories
		--include-events --include-categories --include-threads
		-o --output --compress --force --mode -j --json -h --help' ;;
	esac

	# The value of an option: nothing that we could know. Readline makes
	# "=" a word of its own.
	if [[ $cur == = || $prev == = ]]; then
		return
	fi
	case $prev in
	-f | --file | -o | --output)
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	--target)
		COMPREPLY=($(compgen -W "$(jfrec list 2>/dev/null | awk 'NR > 1 { print $1 }')" -- "$cur"))
		return
		;;
	-c | --config)
		if [[ $command == collect ]]; then
			compopt -o filenames
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		fi
		return
		;;
	-e | --events | --categories | --where | --threads | --exclude-threads | \
		--exclude-events | --exclude-categories | --include-events | \
		--include-categories | --include-threads | \
		-d | --stack-depth | --fields | --from | --to | --limit | --tz | --chunks | --size | --container | --timeout | -n | --name | --set | \
		--duration | --delay | --interval | --max-age | --max-size | --filename | --flush-interval | \
		--begin | --end | --repository-path | --dump-path | --max-chunk-size | \
		--memory-size | --global-buffer-count | --global-buffer-size | \
		--thread-buffer-size | --salt)
		return
		;;
	--jdk-home)
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -d -- "$cur")
		return
		;;
	--rules | --config)
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	-s | --settings)
		compopt -o filenames
		mapfile -t COMPREPLY < <(
			compgen -W "none $(jfrec settings list 2>/dev/null | awk '{ print $1 }')" -- "$cur"
			compgen -f -X '!*.@(jfc|yaml)' -- "$cur"
			compgen -d -- "$cur"
		)
		return
		;;
	--compress)
		COMPREPLY=($(compgen -W 'gzip zstd none' -- "$cur"))
		return
		;;
	--preserve-repository | --sample-threads)
		COMPREPLY=($(compgen -W 'true false' -- "$cur"))
		return
		;;
	--user)
		COMPREPLY=($(compgen -u -- "$cur"))
		return
		;;
	--stack)
		COMPREPLY=($(compgen -W 'frames string id none' -- "$cur"))
		return
		;;
	--on-slow)
		COMPREPLY=($(compgen -W 'drop wait' -- "$cur"))
		return
		;;
	--sort)
		COMPREPLY=($(compgen -W 'time file' -- "$cur"))
		return
		;;
	esac

	if [[ $cur == -* ]]; then
		COMPREPLY=($(compgen -W "$options" -- "$cur"))
	elif [[ $command == jfrec || $command == help ]]; then
		COMPREPLY=($(compgen -W "$commands" -- "$cur"))
	elif [[ $command == settings-* && $command != settings-list ]]; then
		compopt -o filenames
		mapfile -t COMPREPLY < <(
			compgen -W "$(jfrec settings list 2>/dev/null | awk '{ print $1 }')" -- "$cur"
			compgen -f -- "$cur"
		)
	elif [[ $command == config ]]; then
		COMPREPLY=($(compgen -W show -- "$cur"))
	elif [[ $command == settings ]]; then
		COMPREPLY=($(compgen -W "$settings" -- "$cur"))
	elif [[ $command =~ ^(list|jcmd|start|stop|check|dump|record|stream|configure|doctor)$ ]]; then
		COMPREPLY=($(compgen -W "$(jfrec list 2>/dev/null | awk 'NR > 1 { print $1 }')" -- "$cur"))
	elif [[ $options ]]; then
		# what was typed, without its quoting; readline quotes again
		cur=${cur//\\/}
		cur=${cur#[\"\']}
		compopt -o filenames
		mapfile -t COMPREPLY < <(
			compgen -f -X '!*.jfr' -- "$cur"
			compgen -d -- "$cur"
		)
	fi
}

complete -F _jfrec jfrec
