# bash completion for jfrec(1)
#
# tests/cli/face.sh compares the options of each "NAME) options=" with
# "jfrec NAME --help".

_jfrec()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local commands='print summary metadata filter merge split repair scrub help' command=jfrec options='' i
	COMPREPLY=()

	for ((i = 1; i < COMP_CWORD; i++)); do
		if [[ ${COMP_WORDS[i]} != -* ]]; then
			command=${COMP_WORDS[i]}
			break
		fi
	done

	case $command in
	jfrec) options='-h --help -V --version' ;;
	print) options='-j --json -x --xml --ndjson --csv --tsv -e --events
		-c --categories --where --threads --exclude-threads
		-d --stack-depth --exact --fields --flat --stack --raw-ticks
		--from --to --limit --sort --utc --tz --strict --count
		-h --help' ;;
	summary) options='-j --json -h --help' ;;
	metadata) options='-j --json -e --events -c --categories -h --help' ;;
	filter) options='-e --events -c --categories --threads --exclude-threads
		--where --from --to --exclude-events --exclude-categories
		--include-events --include-categories --include-threads
		-o --output --compress --force -j --json -h --help' ;;
	merge) options='-o --output --compress --force --from --to --max-size --max-age
		--compact --plain -j --json -h --help' ;;
	split) options='-o --output --chunks --size --events --duration --compress
		--force -j --json -h --help' ;;
	repair) options='-o --output --compress --force -j --json -h --help' ;;
	scrub) options='--rules --hosts --paths --no-defaults --salt -n --dry-run
		--report -e --events -c --categories --threads --exclude-threads
		--where --from --to --exclude-events --exclude-categories
		--include-events --include-categories --include-threads
		-o --output --compress --force -j --json -h --help' ;;
	esac

	# The value of an option: nothing that we could know. Readline makes
	# "=" a word of its own.
	if [[ $cur == = || $prev == = ]]; then
		return
	fi
	case $prev in
	-e | --events | -c | --categories | --where | --threads | --exclude-threads | \
		-d | --stack-depth | --fields | --from | --to | --limit | --tz | \
		--exclude-events | --exclude-categories | --include-events | \
		--include-categories | --include-threads | \
		--max-size | --max-age | --chunks | --size | --duration | --salt)
		return
		;;
	--rules)
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	--compress)
		COMPREPLY=($(compgen -W 'gzip zstd' -- "$cur"))
		return
		;;
	--stack)
		COMPREPLY=($(compgen -W 'frames string id none' -- "$cur"))
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
