#!/bin/sh
# scrub: secrets are in no output, removal is that of filter, wrong rules say where,
# and nothing is ever written over.  With a JDK also on a recording of its own.
#
# usage: scrub.sh JFREC SOURCE_ROOT

jfrec=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
data=$(cd "$2" && pwd)/tests/data/ok
. "$2/tests/cli/tap.sh"

dir=$(mktemp -d) || exit
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit

exits()         # STATUS OPTION...
{
	want=$1
	shift
	"$jfrec" scrub "$@" >out 2>err
	got=$?
	[ "$got" -eq "$want" ] || {
		echo "exit status $got, not $want"
		cat err
		return 1
	}
}

said()          # WORDS
{
	cat out err | grep -q -e "$1" || {
		cat out err
		return 1
	}
}

lacks()         # FILE TEXT
{
	! grep -aq -e "$2" "$1"
}

count()         # RECORDING
{
	"$jfrec" print --count "$1" 2>/dev/null
}

# All recordings: what is not text stays.
shape()         # RECORDING
{
	"$jfrec" print --ndjson --sort file "$1" 2>/dev/null | sed 's/"[^"]*"/""/g'
}

same_shape()    # RECORDING OTHER
{
	shape "$1" >one
	shape "$2" >other
	[ -s one ] && cmp one other
}

for recording in "$data"/*.jfr; do
	name=${recording##*/}
	works "$name: scrub" exits 0 "$recording" -o out.jfr --force --hosts --paths
	works "$name: the same events" [ "$(count "$recording")" = "$(count out.jfr)" ]
	works "$name: again" exits 0 out.jfr -o again.jfr --force --hosts --paths --salt x
	case $name in
	made-*) continue ;;     # has texts that are no UTF-8, and quotes
	esac
	works "$name: the same but for texts" same_shape "$recording" out.jfr
done

some=$data/jvm-25.jfr
works 'no rules are filter' exits 0 --no-defaults --exclude-events 'GC*' "$some" -o out.jfr --force
"$jfrec" filter --exclude-events 'GC*' "$some" -o filtered.jfr >/dev/null
works 'byte for byte' cmp out.jfr filtered.jfr

# Own rules.
cat >rules.yaml <<'END'
rules:
  - name: threads
    field: "*Thread.javaName"
    match: ^main$
    replace: first
    everywhere: false
  - name: states
    match: runnable
    ignore-case: true
    hash: true
    everywhere: false
END
works 'own rules' exits 0 --no-defaults --rules rules.yaml "$some" -o out.jfr --force
works 'are named' said ', threads: first'
works 'are applied' sh -c '"$1" print out.jfr | grep -q "\"first\" (javaThreadId"' sh "$jfrec"
printf 'rules:\n  - match: x\n    mach: y\n' >wrong.yaml
works 'wrong rules' exits 2 --rules wrong.yaml "$some" -o new.jfr
works 'say where' said 'wrong.yaml: line 3, column 11: a rule has no key mach'
works 'rules that are not there' exits 1 --rules nowhere.yaml "$some" -o new.jfr
works 'say why' said 'nowhere.yaml: No such file'

# Beside the default ones there is room for many more.
{ echo rules:; for i in $(seq 58); do echo "  - match: x${i}x"; done; } >many.yaml
works 'many rules' exits 0 --rules many.yaml --hosts --paths "$some" -o out.jfr --force
{ cat many.yaml; for i in $(seq 70); do echo "  - match: y${i}y"; done; } >more.yaml
works 'too many' exits 2 --rules more.yaml "$some" -o new.jfr
works 'say so' said 'more than 192 rules'

# What is shown.
works 'dry run' exits 0 --dry-run "$some"
works 'says so' said 'nothing was written'
works 'dry run takes no output' exits 2 --dry-run "$some" -o new.jfr
works 'dry run with JSON' exits 0 -n --json --rules rules.yaml "$some"
works 'says that nothing was verified' said '"verified": false'
works 'report' exits 0 --rules rules.yaml --report report.json "$some" -o out.jfr --force
if command -v jq >/dev/null; then
	works 'counts what was redacted' [ "$(jq '[.findings[].count] | add' report.json)" = \
		"$(jq .redacted report.json)" ]
	works 'says what was not looked at' jq -e 'has("shortSecrets") and has("plainOnly") and .unreadArrays == 0 and .tails == 0 and .unknownMetadata == 0' report.json
	works 'has the size' [ "$(jq .bytes report.json)" = "$(wc -c <out.jfr | tr -d ' ')" ]
fi
works 'a report is not written over' exits 1 --report report.json "$some" -o out2.jfr
works 'a report to standard output' exits 0 --report - "$some" -o reported.jfr --force
works 'is what --json prints' sh -c '"$1" scrub --json "$2" -o reported.jfr --force | cmp out -' sh "$jfrec" "$some"
works 'nothing else can go there' sh -c '! "$1" scrub --report - "$2" -o - >out 2>err && ! [ -s out ]' sh "$jfrec" "$some"
works 'an option twice' exits 2 --salt a --salt b "$some" -o new.jfr
works 'is told' said '--salt can be given only once$'
works 'not over the recording' exits 2 --report out.jfr "$some" -o out.jfr --force

# Outputs and inputs.
works 'to a pipe' sh -c '"$1" scrub --rules rules.yaml "$2" -o - 2>err | cat >piped.jfr' sh "$jfrec" "$some"
works 'has the same bytes' cmp piped.jfr out.jfr
works 'from a pipe' sh -c 'cat "$2" | "$1" scrub --rules rules.yaml - -o piped.jfr --force' sh "$jfrec" "$some"
works 'has the same bytes' cmp piped.jfr out.jfr
for suffix in gz zst; do
	works "to .$suffix" exits 0 --rules rules.yaml "$some" -o out.jfr.$suffix
	works "has the same events" [ "$("$jfrec" print --json out.jfr.$suffix | cksum)" = \
		"$("$jfrec" print --json out.jfr | cksum)" ]
	works "from .$suffix" exits 0 out.jfr.$suffix -o again.jfr --force
done

cp "$some" in.jfr
sum=$(cksum <in.jfr)
works 'the input is not written over' exits 2 in.jfr -o in.jfr --force
works 'nor by the report' exits 1 in.jfr -n --report in.jfr --force
works 'a file that exists' exits 1 "$some" -o in.jfr
works 'the input stays' [ "$(cksum <in.jfr)" = "$sum" ]
works 'no output' exits 2 "$some"
works 'a full disk' exits 1 "$some" -o /dev/full
works 'nothing was left behind' [ -z "$(ls -A | grep -e '^new' -e jfrec-)" ]

# Recordings of JVMs, with secrets everywhere.
cat >Plant.java <<'END'
import jdk.jfr.*;

public class Plant {
	@Name("app.Note") @Description("written with password=SecretOfMetadata")
	static class Note extends Event { String text, other; }

	static void note(String text, String other) {
		Note n = new Note();
		n.text = text;
		n.other = other;
		n.commit();
	}

	public static void main(String[] args) throws Exception {
		Thread t = new Thread(() -> {
			for (int i = 0; i < 100; i++) {
				note("jdbc:x://me:SecretOfUrl@db.example.com/" + i, "token=Secr\u00e9tLatin");
				note("has SecretOfEnvironment, and SecretOf4Prop7rty9", "Secr\u00e9tLatin " + i);
				note("password=Secret\u4e2dWide", "so Secret\u4e2dWide is in a long text " + i);
				try {
					throw new IllegalStateException("no login, password: SecretOfException");
				} catch (IllegalStateException e) {
				}
			}
		}, "worker with SecretOf4Arg7ment9");
		t.start();
		t.join();
	}
}
END
# Every JDK from 17 on that there is.
homes()
{
	for home in /usr/lib/jvm/* "$JAVA_HOME"; do
		[ -x "$home/bin/javac" ] && [ ! -L "$home" ] || continue
		"$home/bin/javac" -version 2>&1 | grep -qE ' (1[7-9]|[2-9][0-9])' && echo "$home"
	done | sort -u
}

has_none()      # FILE: not in any encoding
{
	lacks "$1" 'SecretOf' || return
	for text in "$(printf 'Secr\303\251tLatin')" "$(printf 'Secr\351tLatin')" "$(printf 'Secr\351\001tLatin')" \
		"$(printf 'Secret\344\270\255Wide')" "$(printf 'Secret\255\234\001Wide')"; do
		! LC_ALL=C grep -aqF -e "$text" "$1" || return
	done
}

shows_none()    # RECORDING
{
	! "$jfrec" print --json "$1" | grep -q -e SecretOf -e tLatin -e Wide
}

plant()         # HOME
{
	rm -f Plant*.class live.jfr
	"$1/bin/javac" Plant.java && DB_PASSWORD=SecretOfEnvironment PLAIN=SecretOfPlain \
		"$1/bin/java" -Dapp.key=SecretOf4Prop7rty9 -Dapp.token=SecretOfToken \
		-XX:StartFlightRecording=filename=live.jfr,settings=profile -cp . Plant SecretOf4Arg7ment9
}

lives=
for home in $(homes); do
	jdk=${home##*/}
	plant "$home" >out 2>&1
	works "$jdk: a recording" [ -s live.jfr ]
	works "$jdk: scrub" exits 0 live.jfr -o clean.jfr --force --report findings.json
	works "$jdk: the same events" [ "$(count live.jfr)" = "$(count clean.jfr)" ]
	works "$jdk: the secrets were there" grep -aq SecretOf live.jfr
	works "$jdk: none is left" has_none clean.jfr
	works "$jdk: nor shown" shows_none clean.jfr
	works "$jdk: nor told" has_none out
	works "$jdk: nor in the report" has_none findings.json
	works "$jdk: a dry run" exits 0 --dry-run live.jfr
	works "$jdk: shows none" has_none out
	works "$jdk: to .gz" exits 0 live.jfr -o clean.jfr.gz --force
	gzip -dc clean.jfr.gz >plain.jfr
	works "$jdk: has none" has_none plain.jfr
	works "$jdk: to .zst" exits 0 live.jfr -o clean.jfr.zst --force
	"$jfrec" merge --plain clean.jfr.zst -o plain.jfr --force >out 2>&1
	works "$jdk: has none" has_none plain.jfr
	works "$jdk: as the JDK's own tool prints it" \
		sh -c '"$1" print clean.jfr >printed && ! grep -q -e SecretOf -e tLatin -e Wide printed' sh "$home/bin/jfr"
	rm -f findings.json
	mv live.jfr "live-$jdk.jfr"
	lives="$lives live-$jdk.jfr"
done
if [ -z "$lives" ]; then
	result ok 'live # SKIP no JDK from 17 on'
	finish
fi
works 'several JVMs: scrub' exits 0 $lives -o clean.jfr --force
works 'several JVMs: none is left' has_none clean.jfr
works 'several JVMs: nor shown' shows_none clean.jfr
works 'several JVMs: merged' "$jfrec" merge $lives -o merged.jfr
works 'several JVMs: scrub of that' exits 0 merged.jfr -o clean.jfr --force
works 'several JVMs: none is left of that' has_none clean.jfr

# ------------------------------------------------------------------------------
# Types that are lost

cp "$data/fields-25.jfr" lost.jfr
at=$(od -An -t u8 --endian=big -j 24 -N 8 lost.jfr | tr -d ' ')
printf '%64s' | tr ' ' '\377' | dd of=lost.jfr bs=1 seek="$at" conv=notrunc 2>/dev/null
works 'without its types nothing can be scrubbed' exits 1 lost.jfr -o clean.jfr --force
works 'with those of another recording it can' exits 1 --types-from "$data/fields-25.jfr" lost.jfr -o clean.jfr --force
works 'all of its events' [ "$("$jfrec" print --count clean.jfr)" = "$("$jfrec" print --count "$data/fields-25.jfr")" ]

finish
