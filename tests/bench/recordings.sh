#!/bin/sh
# Makes what work.py measures with: BIG.jfr and LONG.jfr, both with every event of the JDK's "profile",
# without thresholds and throttles.
#
# usage: recordings.sh JDK [DIRECTORY]
#
#    BIG   the JDK's compiler in a loop over its own sources for 20 s; JDK/lib/src.zip must be there
#    LONG  Tomcat, asked for a page by `wrk` for 60 s; Debian: tomcat10-user and wrk
#
# Two makings differ by a few per cent: compare commits with the same files.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
jdk=$1
mkdir -p "${2:-.}"
cd "${2:-.}"
dir=$PWD
port=8080

# Without what chooses settings in Mission Control, which would win.
sed -e 's/ control="[^"]*"//' \
	-e 's/\(<setting name="threshold"[^>]*>\)[^<]*/\10 ns/' \
	-e 's/\(<setting name="throttle"[^>]*>\)[^<]*/\1off/' \
	-e 's/\(<setting name="enabled"[^>]*>\)[^<]*/\1true/' \
	"$jdk/lib/jfr/profile.jfc" | sed '/<control>/,/<\/control>/d' >all.jfc

record() # FILE: options of a JVM
{
	echo "-Xmx1g -XX:StartFlightRecording:settings=$dir/all.jfc,filename=$dir/$1,maxsize=2g"
}

if [ ! -s BIG.jfr ]; then
	rm -rf sources
	mkdir sources
	unzip -q "$jdk/lib/src.zip" 'java.base/java/util/*' -d sources
	# shellcheck disable=SC2046 # words
	"$jdk/bin/java" $(record BIG.jfr) "$here/Compiler.java" sources/java.base 20
	rm -rf sources
fi

if [ ! -s LONG.jfr ]; then
	rm -rf tomcat
	tomcat10-instance-create -p $port tomcat
	mkdir tomcat/webapps/ROOT
	cat >tomcat/webapps/ROOT/numbers.jsp <<'JSP'
<%@ page import="java.util.*" %><html><body><%
List<String> numbers = new ArrayList<>();
for (int i = 0; i < 200; i++)
	numbers.add(Integer.toString(i * 7919 % 1000));
Collections.sort(numbers);
for (String number : numbers) { %><p><%= number %></p><% } %></body></html>
JSP
	CATALINA_OPTS=$(record LONG.jfr)
	export JAVA_HOME="$jdk" CATALINA_BASE="$dir/tomcat" CATALINA_HOME=/usr/share/tomcat10 CATALINA_OPTS
	"$CATALINA_HOME/bin/catalina.sh" run >tomcat.log 2>&1 &
	tomcat=$!
	trap 'kill $tomcat 2>/dev/null' EXIT
	tries=60
	until wrk -t1 -c1 -d1s "http://localhost:$port/numbers.jsp" 2>/dev/null | grep -q requests; do
		[ $((tries -= 1)) -gt 0 ] || { echo "recordings.sh: Tomcat does not answer: $dir/tomcat.log" >&2; exit 1; }
		sleep 1
	done
	wrk -t1 -c16 -d60s "http://localhost:$port/numbers.jsp"
	kill $tomcat
	wait $tomcat || :       # it ends by a signal
	rm -rf tomcat
fi
ls -l BIG.jfr LONG.jfr
