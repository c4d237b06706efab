#!/bin/sh
# jfrec collect against ten JVMs that are killed at random, and killed itself, for so many
# minutes: what tests/live/collect.sh does, for long. With chunks of 1 MB a minute is
# worth ten of JVMs with the default of 12 MB.
#
# usage: collect.sh JFREC SOURCE_ROOT [MINUTES [JVMS]]
#
# JDKs as in tests/live/live.sh; the newest one if $JFREC_TEST_JDKS is not set.

minutes=${3:-6}
JFREC_TEST_JVMS=${4:-10}
# A round takes two seconds and somewhat more; there are two tests of that kind.
JFREC_TEST_ROUNDS=$((minutes * 13))
JFREC_TEST_JDKS=${JFREC_TEST_JDKS:-25}
export JFREC_TEST_JVMS JFREC_TEST_ROUNDS JFREC_TEST_JDKS
exec sh "$2/tests/live/collect.sh" "$1" "$2"
