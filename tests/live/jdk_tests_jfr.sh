# jdk_tests_jfr.sh - the JDK's tests of jfr (test/jdk/jdk/jfr/tool in its sources), for jdk_tests.sh, which
# sources it: a function for each, and rows of what is asked and expected

# One recording for all that look at one, and the types of its JVM.
profile()
{
	[ ! -s "$work/profile-$feature.jfr" ] || return 0
	tell "profile $work/profile-$feature.jfr"
	sed -n 's/^type //p' "$work/answer" >"$work/types-$feature"
	[ "$(wc -l <"$work/types-$feature")" -gt 100 ] || wrong 'hardly any types'
}

TestAssemble()
{
	mkdir "$dir/parts"
	for part in 0 1 2 3 4; do
		tell "record part-$part enable=example.Tiger"
		tell "emit $((part + 1)) tiger"
		tell "stop part-$part"
	done
	ask 0 'Repository path' JFR.configure
	repository=$(sed -n 's/^Repository path: //p' "$work/out")
	tool 2 'too few arguments' assemble
	tool 2 'too few arguments' assemble "$repository"
	tool 1 'directory does not exist, not-a-directory' assemble not-a-directory "$dir/whole.jfr"
	tool 1 "filename must end with '.jfr'" assemble "$repository" not-a-destination
	tool 2 'too many arguments' assemble --wrongOption "$repository" "$dir/whole.jfr"
	echo d >"$dir/whole.jfr"
	tool 1 'already exists' assemble "$repository" "$dir/whole.jfr"
	rm "$dir/whole.jfr"
	tool 0 'Finished\.' assemble "$repository" "$dir/whole.jfr"
	[ "$(count "$dir/whole.jfr" Tiger)" -eq 15 ] || wrong 'not 15 events'
}

# EVENT#SETTING=VALUE of a file that is written as we write them: one element in a line.
settings_of()   # FILE
{
	awk '/<event / { sub(/.*name="/, ""); sub(/".*/, ""); event = $0 }
		/<setting / { line = $0; sub(/.*<setting [^>]*name="/, ""); sub(/".*/, ""); name = $0
			sub(/^[^>]*>/, "", line); sub(/<.*/, "", line); print event "#" name "=" line }' "$1" | LC_ALL=C sort
}

write_inputs()
{
	head='<configuration version="2.0" label="Test" description="" provider="Test">'
	tiger='<event name="com.example.Tiger">'
	lion='<event name="com.example.Lion">'
	cat >selection.jfc <<END
$head
<control>
<selection name="animal" label="Animal" default="low">
<option label="Low" name="low">20 s</option>
<option label="Medium" name="medium">10 s</option>
</selection>
</control>
$tiger
<setting name="threshold" control="animal">5 s</setting>
</event>
$lion
<setting name="threshold" control="animal">5 s</setting>
</event>
</configuration>
END
	cat >text.jfc <<END
$head
<control>
<text name="animal-threshold" label="Threshold" contentType="timespan" minimum="0 s">20 ms</text>
</control>
$tiger
<setting name="threshold" control="animal-threshold">20 ms</setting>
</event>
$lion
<setting name="threshold" control="animal-threshold">20 ms</setting>
</event>
</configuration>
END
	cat >flag.jfc <<END
$head
<control>
<flag name="mammal" label="Mammal">false</flag>
</control>
$tiger
<setting name="enabled" control="mammal">false</setting>
</event>
$lion
<setting name="enabled" control="mammal">false</setting>
</event>
</configuration>
END
	cat >condition.jfc <<END
$head
<control>
<text name="variable" label="Variable">none</text>
<condition name="active" true="1 s" false="5 s">
<test name="variable" operator="equal" value="activate"/>
</condition>
</control>
$tiger
<setting name="period" control="active">9 s</setting>
</event>
</configuration>
END
	cat >and.jfc <<END
$head
<control>
<flag name="closure" label="Closure">false</flag>
<flag name="inverse" label="Inverse">false</flag>
<condition name="group" true="true" false="false">
<and>
<test name="closure" operator="equal" value="true"/>
<test name="inverse" operator="equal" value="true"/>
</and>
</condition>
</control>
<event name="algebra.Group">
<setting name="enabled" control="group">false</setting>
</event>
</configuration>
END
	cat >or.jfc <<END
$head
<control>
<text name="month" label="Month">January</text>
<condition name="spring" true="true" false="false">
<or>
<test name="month" operator="equal" value="April"/>
<test name="month" operator="equal" value="May"/>
</or>
</condition>
</control>
<event name="season.Spring">
<setting name="enabled" control="spring">false</setting>
</event>
</configuration>
END
	cat >missing.jfc <<END
$head
$tiger
<setting name="enabled" control="tigre">false</setting>
</event>
</configuration>
END
	cat >superfluous.jfc <<END
$head
<event name="com.example.Tiger" legs="4">
<setting name="enabled">false</setting>
<radio color="red"><option>x</option></radio>
</event>
</configuration>
END
	cat >plain.jfc <<END
$head
$tiger
<setting name="enabled">false</setting>
</event>
</configuration>
END
	cat >timespan.jfc <<END
$head
<control>
<text name="value" label="Value" contentType="timespan" minimum="0 s">20 ms</text>
</control>
$tiger
<setting name="threshold" control="value">20 ms</setting>
</event>
$lion
<setting name="period" control="value">20 ms</setting>
</event>
</configuration>
END
}

configured()    # FILE 'EXPECTED LINES' ARGUMENT...: the file's settings, of which these are others
{
	file=$1
	lines=$2
	shift 2
	rm -f "$dir/made.jfc"
	tool 0 . configure --input "$dir/$file.jfc" "$@" --output "$dir/made.jfc"
	settings_of "$dir/made.jfc" >"$work/made"
	printf '%s\n' $lines | tr _ ' ' >"$work/changed"
	{
		cat "$work/changed"
		settings_of "$dir/$file.jfc" | grep -vF "$(sed '/./s/=.*/=/' "$work/changed")"
	} | LC_ALL=C sort | diff - "$work/made" >"$work/out" || wrong "configure $file $*"
}

TestConfigure()
{
	(cd "$dir" && write_inputs)
	configured selection 'com.example.Tiger#threshold=10_s com.example.Lion#threshold=10_s' animal=medium
	configured text 'com.example.Tiger#threshold=3_s com.example.Lion#threshold=3_s' animal-threshold=3s
	configured flag 'com.example.Tiger#enabled=true com.example.Lion#enabled=true' mammal=true
	configured condition 'com.example.Tiger#period=1_s' variable=activate
	configured condition 'com.example.Tiger#period=5_s' variable=whatever
	configured and 'algebra.Group#enabled=true' closure=true inverse=true
	configured and 'algebra.Group#enabled=false' closure=true inverse=false
	configured or 'season.Spring#enabled=true' month=May
	configured or 'season.Spring#enabled=false' month=September
	configured timespan 'com.example.Tiger#threshold=20_s com.example.Lion#period=20_s' 'value=20 s'
	configured timespan 'com.example.Tiger#threshold=13_s com.example.Lion#period=13_s' value=13s
	configured timespan 'com.example.Tiger#threshold=2_s com.example.Lion#period=3_s' \
		'com.example.Tiger#threshold=2s' 'com.example.Lion#period=3s'
	configured plain 'com.example.Tiger#legs=4' '+com.example.Tiger#legs=4'
	configured plain 'com.example.Foo#bar=baz' '+com.example.Foo#bar=baz'
	configured plain 'com.example.Tiger#enabled=true' 'com.example.Tiger#enabled=true'
	tool 1 "Could not find event 'com.example.Zebra'" configure --input "$dir/plain.jfc" \
		'com.example.Zebra#stackTrace=true' --output "$dir/x.jfc"
	tool 1 "Could not find setting 'foo' for event 'com.example.Tiger'" configure --input "$dir/plain.jfc" \
		'com.example.Tiger#foo=true' --output "$dir/x.jfc"
	tool 0 . configure --input "$dir/superfluous.jfc" --output "$dir/x.jfc"
	for text in 'legs="4"' radio red '</radio>' option; do
		grep -qF "$text" "$dir/x.jfc" || wrong "$text is lost"
	done
	rm "$dir/x.jfc"
	tool 0 "Warning! Setting 'com.example.Tiger#enabled' refers to missing control 'tigre'" \
		configure --input "$dir/missing.jfc" --output "$dir/x.jfc"
	for preset in default profile; do
		rm -f "$dir/x.jfc"
		tool 0 . configure --input "$preset" --output "$dir/x.jfc"
		never Warning
		settings_of "$dir/x.jfc" >"$work/made"
		settings_of "$home/lib/jfr/$preset.jfc" | diff - "$work/made" >"$work/out" || wrong "$preset differs"
	done
	rm -f "$dir/x.jfc"
	tool 0 . configure --output "$dir/x.jfc"
	never Warning
	settings_of "$dir/x.jfc" >"$work/made"
	settings_of "$home/lib/jfr/default.jfc" | diff - "$work/made" >"$work/out" || wrong 'not the default'
	rm -f "$dir/x.jfc"
	tool 0 . configure --input none --output "$dir/x.jfc"
	[ -z "$(settings_of "$dir/x.jfc")" ] || wrong 'there are settings'
	rm -f "$dir/x.jfc"
	tool 0 . configure --input "$dir/or.jfc,$dir/and.jfc" --output "$dir/x.jfc"
	settings_of "$dir/x.jfc" | grep -c . | grep -qx 2 || wrong 'not the settings of both'
	rm -f "$dir/x.jfc"
	tool 0 'com.example.Lion#enabled=true' configure --input "$dir/flag.jfc" --verbose mammal=true --output "$dir/x.jfc"
	also 'com.example.Tiger#enabled=true'
	rm -f "$dir/x.jfc"
	tool 0 . configure --input "$dir/flag.jfc" --verbose '+com.example.Albatross#enabled=true' --output "$dir/x.jfc"
	settings_of "$dir/x.jfc" | grep -qx 'com.example.Albatross#enabled=true' || wrong 'nothing was added'
}

TestDisassemble()
{
	tell "chunks 6 $dir/many-A.jfr"
	for copy in B C D; do
		cp "$dir/many-A.jfr" "$dir/many-$copy.jfr"
	done
	tool 2 'missing file' disassemble
	tool 2 'unknown option' disassemble --wrongOption "$dir/many-A.jfr"
	tool 2 'unknown option' disassemble --wrongOption 1 "$dir/many-A.jfr"
	tool 1 'max chunks must be at least 1' disassemble --max-chunks -3 "$dir/many-A.jfr"
	tool 1 "number of chunks in recording .* doesn't exceed max chunks" disassemble --max-chunks 1000 "$dir/many-A.jfr"
	tool 0 . disassemble "$dir/many-A.jfr"
	verify "$dir/many-A_1.jfr"
	verify "$dir/many-A_2.jfr"
	tool 0 . disassemble --max-chunks 2 "$dir/many-B.jfr"
	for part in 1 2 3; do
		verify "$dir/many-B_$part.jfr"
	done
	tool 1 'file with that name already exist' disassemble --max-chunks 2 "$dir/many-B.jfr"
	tool 0 . disassemble --max-size 10000 "$dir/many-C.jfr"
	verify "$dir/many-C_01.jfr"
	tool 0 'File consists of [0-9]+ chunks' disassemble --max-chunks 1 "$dir/many-D.jfr"
	chunks=$(sed -n 's/.*consists of \([0-9]*\) chunks.*/\1/p' "$work/out")
	also "will be split into $chunks files"
	for part in $(seq -w 0 $((chunks - 1))); do
		verify "$dir/many-D_$part.jfr"
	done
}

TestHelp()
{
	tool 0 print help
	for word in assemble disassemble metadata summary help; do
		also "jfr $word"
	done
	tool 0 'Display version of the jfr tool' help version
	also 'jfr version'
	tool 1 "unknown command 'wrongcommand'" help wrongcommand
}

TestMetadata()
{
	profile
	tool 0 '@Name' metadata
	also 'jdk.jfr.Event'
	[ "$(grep -c '^@Name("' "$work/out")" -ge "$(grep -c '^jdk\.' "$work/types-$feature")" ] || wrong 'types are missing'
	tool 2 'unknown option --wrongOption' metadata --wrongOption "$work/profile-$feature.jfr"
	tool 0 . metadata "$work/profile-$feature.jfr"
	sed 's/.*[.]//' "$work/types-$feature" | while read -r type; do
		grep -q "^class $type " "$work/out" || echo "$type"
	done >"$work/absent"
	[ ! -s "$work/absent" ] || wrong "no $(cat "$work/absent")"
	awk '/^@/ { if ($0 in seen) bad = 1; seen[$0] = 1; next } { split("", seen) } END { exit bad }' "$work/out" ||
		wrong 'an annotation is repeated'
	tool 0 '^@Name' metadata --events CPULoad,GarbageCollection
	[ "$(grep -c '^@Name("' "$work/out")" -ge 2 ] || wrong 'fewer than two types'
	tool 0 '^@Name\("jdk[.]Thread' metadata --events 'Thread*'
	tool 0 '^@Category\("J' metadata --categories 'J*'
}

TestPrint()
{
	tool 2 'missing file' print
	tool 1 'could not open file ' print missing.jfr
	printf d >"$dir/faked.jfr"
	tool 2 'unknown option' print --wrongOption "$dir/faked.jfr"
}

same_as_the_jdk() # ARGUMENT...
{
	tool 0 . "$@"
	"$home/bin/jfr" "$@" | cmp - "$work/out" >"$work/err" 2>&1 || wrong "not the JDK's: $*"
}

TestPrintContextual()
{
	mkdir -p "$work/contexts"
	"$home/bin/javac" -d "$work/contexts" "$source/tests/data/Contexts.java" >"$work/out" 2>"$work/err" &&
		"$java" -cp "$work/contexts" Contexts "$dir/contexts.jfr" contexts >"$work/out" 2>"$work/err" ||
		wrong 'no recording'
	tool 0 '^  Context: Request\.path = "' print --exact "$dir/contexts.jfr"
	also '^  Context: Query\.sql = "'
	never '^  Context: (Request\.status|Query\.rows)'
	same_as_the_jdk print --exact "$dir/contexts.jfr"
	same_as_the_jdk print --exact --events Step "$dir/contexts.jfr"
	also '^  Context: Request\.path'
}

TestPrintDefault()
{
	profile
	tool 0 JVMInformation print "$work/profile-$feature.jfr"
	[ "$feature" -ne 25 ] || same_as_the_jdk print "$work/profile-$feature.jfr"
}

TestPrintJSON()
{
	profile
	tool 0 '"recording"' print --json --stack-depth 999 "$work/profile-$feature.jfr"
	events=$(count "$work/profile-$feature.jfr")
	python3 -c 'import json, sys
events = json.load(open(sys.argv[1], encoding="utf-8", errors="surrogateescape"))["recording"]["events"]
sys.exit(len(events) != int(sys.argv[2]))' "$work/out" "$events" >"$work/err" 2>&1 || wrong "not $events events"
	[ "$feature" -ne 25 ] || same_as_the_jdk print --json --stack-depth 999 "$work/profile-$feature.jfr"
}

TestPrintXML()
{
	profile
	[ "$feature" -ne 25 ] || same_as_the_jdk print --xml --stack-depth 9999 "$work/profile-$feature.jfr"
	tool 0 '<recording ' print --xml --stack-depth 9999 "$work/profile-$feature.jfr"
}

scrubbed()      # 'EVENTS THAT ARE LEFT' ARGUMENT...
{
	left=$1
	shift
	rm -f "$dir/scrubbed.jfr"
	tool 0 . scrub "$@" "$dir/animals.jfr" "$dir/scrubbed.jfr"
	for animal in Tiger:100 Zebra:100 Tigerfish:1000; do
		want=0
		case " $left " in *" ${animal%:*} "*) want=${animal#*:} ;; esac
		got=$(count "$dir/scrubbed.jfr" "^example.${animal%:*}\$")
		[ "$got" -eq "$want" ] || wrong "$got events ${animal%:*}, not $want: scrub $*"
	done
}

TestScrub()
{
	tell 'record animals enable=example.Tiger enable=example.Zebra enable=example.Tigerfish'
	tell 'emit 100 tiger India'
	tell 'emit 100 zebra Namibia'
	tell 'emit 1000 tigerfish Lake_Tanganyika'
	tell 'stop animals'
	tell "dump animals $dir/animals.jfr"
	tool 2 "output file can't be same as input file" scrub "$dir/animals.jfr" "$dir/animals.jfr"
	tool 0 . scrub "$dir/animals.jfr"
	exists "$dir/animals-scrubbed.jfr"
	scrubbed Zebra --include-events Zebra
	scrubbed 'Tiger Tigerfish' --include-events 'Tiger*'
	scrubbed 'Tiger Zebra' --include-events Tiger,Zebra
	scrubbed 'Tiger Tigerfish' --exclude-events Zebra
	scrubbed Zebra --exclude-events 'Tiger*'
	scrubbed Tigerfish --exclude-events Tiger,Zebra
	scrubbed Tigerfish --exclude-events Tiger --exclude-events Zebra
	scrubbed Tiger --include-events 'Tiger*' --exclude-events Tigerfish
	scrubbed '' --exclude-events 'example.*' --include-events 'example.*'
	scrubbed '' --include-events 'example.*' --exclude-events 'example.*'
	scrubbed 'Tiger Zebra' --include-categories Mammal
	scrubbed '' --include-categories Sahara
	scrubbed 'Tiger Zebra Tigerfish' --include-categories Fish,Mammal
	scrubbed Tigerfish --exclude-categories Mammal
	scrubbed '' --exclude-categories Mammal,Fish
	scrubbed Zebra --include-threads Namibia
	scrubbed Zebra --include-threads 'Nam*'
	scrubbed 'Tiger Tigerfish' --exclude-threads Namibia
	scrubbed 'Tiger Tigerfish' --exclude-threads 'Nam*'
	scrubbed Tiger --exclude-threads 'Namibia,Lake Tanganyika'
}

TestSummary()
{
	profile
	tool 2 'missing file' summary
	tool 2 'too many arguments' summary --wrongOption "$work/profile-$feature.jfr"
	tool 0 Version summary "$work/profile-$feature.jfr"
	while read -r type; do
		grep -qF " $type " "$work/out" || echo "$type"
	done <"$work/types-$feature" >"$work/absent"
	[ ! -s "$work/absent" ] || wrong "no $(cat "$work/absent")"
}

TestView()
{
	tool 2 'missing file' view
	tool 1 'could not open file ' view missing.jfr
	printf d >"$dir/faked.jfr"
	tool 2 'unknown option' view --wrongOption "$dir/faked.jfr"
	rm -f "$work/profile-$feature.jfr" # of this JVM, whose pid is looked for
	profile
	tool 0 'Thread Sleep' view --verbose --width 300 --cell-height 100 ThreadSleep "$work/profile-$feature.jfr"
	also 'Sleep Time'
	also time
	also main
	also 'JdkTests\.profile'
	tool 0 'JVM Information' view jvm-information "$work/profile-$feature.jfr"
	also 'VM Arguments:'
	also "$((pid % 1000))"
	tool 0 'Longest Pause' view --verbose gc "$work/profile-$feature.jfr"
	also '\(longestPause\)'
	also 'Old Garbage Collection'
	also SELECT
}

has_view()
{
	"$jfr" help | grep -q '^ *jfr view '
}

jfr_test()      # NAME OPTION...
{
	name=$1
	shift
	! is_asked "$name" || works "$name" a_test "$name" "$@"
}

test_jfr()
{
	jfr_test TestAssemble
	jfr_test TestConfigure
	jfr_test TestDisassemble
	jfr_test TestHelp
	jfr_test TestMetadata
	jfr_test TestPrint
	[ "$feature" -lt 25 ] || jfr_test TestPrintContextual
	jfr_test TestPrintDefault
	jfr_test TestPrintJSON
	jfr_test TestPrintXML
	jfr_test TestScrub
	jfr_test TestSummary
	if ! has_view; then
		skip TestView 'jfr has no view'
	elif [ "$feature" -ge 21 ]; then
		jfr_test TestView -XX:-ExplicitGCInvokesConcurrent -XX:+UseG1GC
	fi
}
