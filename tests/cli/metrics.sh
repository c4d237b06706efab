#!/bin/sh
# jfrec stream --metrics, --listen, --on and --exec, of recordings: no JVM is needed.
#
# usage: metrics.sh JFREC SOURCE_ROOT

LC_ALL=C
export LC_ALL
jfrec=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
root=$(cd "$2" && pwd)
ok=$root/tests/data/ok
. "$root/tests/cli/tap.sh"
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill -9 $server 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit

fails()         # NAME STATUS PATTERN OPTION...
{
	what=$1 status=$2 pattern=$3
	shift 3
	"$jfrec" stream "$@" >out 2>err
	works "$what: exit status" [ $? -eq "$status" ]
	works "$what: says why" grep -q -e "$pattern" err
}

# The first python that has the parser, or any.
python=python3
for p in python3 /usr/bin/python3; do
	$p -c 'import prometheus_client' 2>/dev/null && python=$p && break
done

# Metrics ------------------------------------------------------------------------------------------

for recording in "$ok"/*.jfr; do
	[ "$("$jfrec" print --count "$recording" 2>/dev/null || echo 0)" -gt 0 ] || continue
	works "metrics of ${recording##*/}" $python "$root/tests/cli/metrics.py" "$jfrec" "$recording"
done
"$jfrec" stream --metrics --from start -e 'GC*' "$ok/jvm-17.jfr" >out
works 'only chosen events count' sh -c 'grep -q "event=\"jdk.GC" out && ! grep -q "event=\"jdk.[^G]" out'
"$jfrec" stream --metrics --from start "$ok/jvm-17.jfr" "$ok/jvm-25.jfr" >out
works 'two sources, each family once' sh -c '[ "$(grep -c "^# TYPE jfr_events counter" out)" -eq 1 ] &&
	[ "$(grep "^jfr_last_flush" out | wc -l)" -eq 2 ]'
"$jfrec" stream --metrics "$ok/jvm-17.jfr" >out
works 'of the last minute there is nothing' sh -c '! grep -q ^jfr_events out'
"$jfrec" stream --metrics --from start "$ok/jvm-17.jfr" --for 5s >out
works 'a time to take' grep -q '^jfr_events_total' out
cp "$ok/jvm-17.jfr" "$(printf 'odd\377"name.jfr')"
works 'a name that is no UTF-8' $python "$root/tests/cli/metrics.py" "$jfrec" "$(printf 'odd\377"name.jfr')"
if [ -w /dev/full ]; then
	"$jfrec" stream --metrics --from start "$ok/jvm-17.jfr" >/dev/full 2>err
	works 'full disk: exit status' [ $? -eq 1 ]
fi

same_as_old()   # OPTION...
{
	"$jfrec" stream --metrics "$@" >old && "$jfrec" metrics "$@" >new && cmp old new
}

works 'metrics is stream --metrics' same_as_old --from start "$ok/jvm-17.jfr"
works 'of chosen events' same_as_old --from start -e 'GC*' "$ok/jvm-17.jfr" "$ok/jvm-25.jfr"
works 'of the last minute' same_as_old "$ok/jvm-17.jfr"

refused()       # STATUS PATTERN OPTION...: by metrics itself
{
	status=$1 pattern=$2
	shift 2
	"$jfrec" metrics "$@" "$ok/jvm-17.jfr" >out 2>err
	[ $? -eq "$status" ] && grep -q -e "$pattern" err && [ ! -s out ]
}

works 'metrics: no findings' refused 2 'unknown option --analyze' --analyze
works 'metrics: no formats' refused 2 'unknown option --ndjson' --ndjson
works 'metrics: how often, without a file' refused 2 'metrics: --every needs --output FILE' --every 1s
works 'metrics: a file and a server' refused 2 'cannot be combined with --listen' -o jvm.prom --listen 0
works 'metrics: an expression that fits nothing' refused 2 'has a field nope' --from start --where 'nope > 1'

# To a file.
"$jfrec" metrics --from start "$ok/jvm-17.jfr" >want
(umask 022 && "$jfrec" stream --metrics --from start "$ok/jvm-17.jfr" -o jvm.prom) >out
works 'a file has the same' sh -c '[ ! -s out ] && cmp want jvm.prom'
works 'and everybody can read it' [ "$(stat -c %a jvm.prom)" = 644 ]
echo old >jvm.prom
works 'it is replaced' sh -c '"$1" stream --metrics --from start "$2" -o jvm.prom && cmp want jvm.prom' - \
	"$jfrec" "$ok/jvm-17.jfr"
fails 'a file that cannot be' 1 'none/jvm.prom' --metrics -o none/jvm.prom "$ok/jvm-17.jfr"
fails 'a file of events' 2 'needs --metrics' -o jvm.prom "$ok/jvm-17.jfr"
fails 'how often, without a file' 2 '--every needs --output FILE' --metrics --every 1s "$ok/jvm-17.jfr"
fails 'never' 2 '--every takes a time' --metrics --every 0s -o jvm.prom "$ok/jvm-17.jfr"
"$jfrec" stream no.such.Main --follow --metrics --every 1s -o again.prom 2>err &
server=$!
replaced()
{
	last=
	changes=0
	i=0
	while [ $((i += 1)) -lt 120 ]; do
		now=$(stat -c %i,%Y again.prom 2>/dev/null)
		[ "$now" = "$last" ] || changes=$((changes + 1))
		last=$now
		[ $changes -lt 3 ] || { tail -1 again.prom | grep -qx '# EOF'; return; }
		sleep 0.5
	done
	return 1
}
works 'again and again' replaced
kill $server
wait $server
server=

# Serving ------------------------------------------------------------------------------------------

# Waits for a JVM that there is none of, and serves meanwhile.
: >err
"$jfrec" stream no.such.Main --follow --metrics --listen 127.0.0.1:0 2>err &
server=$!
tries=50
while [ $tries -gt 0 ] && ! grep -q 'metrics at' err; do
	sleep 0.1
	tries=$((tries - 1))
done
port=$(sed -n 's,.*http://127.0.0.1:\([0-9]*\)/metrics.*,\1,p' err)
$python "$root/tests/cli/clients.py" "$port" >clients
while read -r verdict rest; do
	case $verdict in
	ok) result ok "client: ${rest#*- }" ;;
	not) result not-ok "client: ${rest#*- }" ;;
	esac
done <clients
works 'all clients were tried' grep -q '^1\.\.17' clients
fails 'a port that is taken' 1 'cannot listen' no.such.Main --follow --metrics --listen 127.0.0.1:"$port"
kill -INT $server
wait $server
works 'Ctrl-C: exit status' [ $? -eq 130 ]
server=

# Commands -----------------------------------------------------------------------------------------

pauses=$("$jfrec" print --count -e GCPhasePause "$ok/jvm-17.jfr")
"$jfrec" stream --from start "$ok/jvm-17.jfr" --on GCPhasePause --exec 'cat >json; echo "$JFREC_EVENT" >event; echo said' >out 2>err
works 'it has the event' cmp event - <<-END
	jdk.GCPhasePause
END
works 'and its JSON' grep -q '^{"type":"jdk.GCPhasePause","values":{' json
works 'once within the cooldown' [ "$(wc -l <json)" -eq 1 ]
works 'what it says is apart from the events' sh -c 'grep -q ^said err && ! grep -q ^said out'
works 'what fits is printed' [ "$(grep -c '^jdk.GCPhasePause {' out)" -eq "$pauses" ]
works 'and nothing else' [ "$(grep -c '^jdk\.' out)" -eq "$pauses" ]
works 'there are some' [ "$pauses" -gt 1 ]
"$jfrec" stream --from start "$ok/jvm-17.jfr" --on GCPhasePause --exec 'exit 3' -e JavaThreadStatistics --ndjson >out 2>err
works 'a choice of what is printed' sh -c '! grep -v JavaThreadStatistics out | grep -q .'
works 'a command that fails' grep -q 'exited with status 3: exit 3' err
"$jfrec" stream --from start "$ok/jvm-17.jfr" --on 'GCPhasePause[duration > 1h]' --exec 'touch never' >out
works 'an expression that does not hold' [ ! -e never -a ! -s out ]
"$jfrec" stream --from start "$ok/jvm-17.jfr" --on 'GCPhasePause[duration > 0ns]' --on JavaThreadStatistics --exec 'echo $JFREC_EVENT >>both' >out 2>err
works 'two events, one command' [ "$(sort both | tr '\n' ' ')" = 'jdk.GCPhasePause jdk.JavaThreadStatistics ' ]
"$jfrec" stream --from start "$ok/jvm-17.jfr" --on GCPhasePause --exec 'kill -9 $$' >out 2>err
works 'a command that is killed' grep -q 'killed by signal 9' err
"$jfrec" stream --from start "$ok/jvm-17.jfr" --on GCPhasePause --exec 'echo "$JFREC_SOURCE" >source; env >env' >out
works 'its source' [ "$(cat source)" = "$ok/jvm-17.jfr" ]
works 'no pid of a file' sh -c '! grep -q JFREC_PID env'

fails 'no event' 2 'takes an event' --on '[a > 1]' --exec true "$ok/jvm-17.jfr"
fails 'no end' 2 'must end with ]' --on 'CPULoad[a > 1' --exec true "$ok/jvm-17.jfr"
fails 'nothing in it' 2 'must end with ]' --on 'CPULoad[]' --exec true "$ok/jvm-17.jfr"
fails 'no such field' 2 '--on: column 1' --from start --on 'CPULoad[nnn > 1]' --exec true "$ok/jvm-17.jfr"
fails 'no command' 2 'needs --exec' --on CPULoad "$ok/jvm-17.jfr"
fails 'no event for it' 2 'after the --on' --exec true "$ok/jvm-17.jfr"
fails 'no time' 2 'takes a time' --on CPULoad --exec true --cooldown soon "$ok/jvm-17.jfr"
fails 'nothing to cool down' 2 'needs --on' --cooldown 5s "$ok/jvm-17.jfr"
fails 'JSON, and commands' 2 'a single source' --json --on CPULoad --exec true "$ok/jvm-17.jfr"
fails 'nothing to serve' 2 'needs --metrics' --listen 127.0.0.1:0 "$ok/jvm-17.jfr"
fails 'two formats' 2 'with another format' --metrics --ndjson "$ok/jvm-17.jfr"
fails 'a recording takes time' 2 'needs time' --metrics --settings default Main
for where in 127.0.0.1 '' :x 127.0.0.1:99999 '[::1:99' 'a b:99' example.org:80; do
	fails "no address: $where" 2 '^jfrec stream: --listen' --metrics --listen "$where" --follow Main
done
fails 'not an address of this host, and all JVMs' 1 'cannot listen' --metrics --listen 192.0.2.1:9464 --follow --all
fails 'not an address of this host' 1 'cannot listen' --metrics --listen 192.0.2.1:9464 --follow Main

finish
