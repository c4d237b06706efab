"""The programs of the calibration: what runs, how it is recorded, and with which JDKs.

A kind is a program with its arguments, options of the JVM, and how long and with which settings it is
recorded. Its name, the JDK and the settings make the name of its recording. needs says what a kind
wants beside a JVM:

   backend PORT DELAY   a server in a JVM of its own, and its port as the program's last argument
   cpu SHARE            a control group with so much of a processor
   memory MB            a control group with so much memory
   wait SECONDS         the program has run for so long when it is recorded
   killed SECONDS       it is recorded from its start and ended by SIGKILL after so long; what is left of
                        its repository is kept as it is
   roots                what keeps objects alive is recorded, too (--path-to-gc-roots)
   ends                 it ends by itself, and then writes what was recorded
   agent                a jar with acme.probe.Probe
   alone                it takes all processors, or must not be disturbed
"""

import collections

Kind = collections.namedtuple("Kind", "name healthy command options jdks settings seconds needs")
NOTHING = ""
BOTH = "17 25"
G1 = "-Xmx200m -XX:+UseG1GC"


def kind(name, command, options=G1, jdks=BOTH, settings="default", seconds=20, needs=NOTHING):
    healthy = name.startswith("ok-")
    return Kind(name, healthy, command, options, jdks.split(), settings, seconds, needs)


FAULTS = [
    # Waiting.
    kind("lock-synchronized", "acme.prices.PriceService synchronized"),
    kind("lock-reentrant", "acme.prices.PriceService reentrant", settings="profile", jdks="17"),
    kind("semaphore", "acme.prices.PriceService licences"),
    kind("deadlock", "acme.bank.Transfers monitors"),
    kind("deadlock-locks", "acme.bank.Transfers locks", seconds=25, jdks="25"),
    kind("deadlock-recorded", "acme.bank.Transfers monitors", settings="analyze", seconds=15, jdks="17"),
    kind("executor-starved", "acme.orders.OrderDesk future"),
    kind("common-pool-busy", "acme.orders.OrderDesk stage", seconds=25,
         options=G1 + " -Djava.util.concurrent.ForkJoinPool.common.parallelism=2"),
    kind("pool-queue", "acme.data.Repository queue 2 14"),
    kind("pool-timeout", "acme.data.Repository queue 1 90", jdks="25", settings="analyze", seconds=25),
    kind("pool-monitor", "acme.data.Repository monitor 2 12", jdks="17"),
    kind("pool-condition", "acme.data.Repository condition 3 20", seconds=25, jdks="25"),
    kind("backend-known", "acme.remote.Backends ask", needs="backend 5432 180"),
    kind("backend-ephemeral", "acme.remote.Backends ask", needs="backend 0 300"),
    kind("chatty", "acme.remote.Backends orders", settings="profile", needs="backend 0 1"),
    kind("event-loop", "acme.loop.EventLoop 20", seconds=25),
    kind("poll", "acme.handles.Handles poll", jdks="25"),
    # Files and the kernel.
    kind("sync-per-line", "acme.files.Journal sync"),
    kind("byte-reads", "acme.files.Journal bytes", needs="alone"),
    # Classes.
    kind("loader-storm", "acme.plugins.Plugins drop 10", seconds=30),
    kind("metaspace-leak", "acme.plugins.Plugins keep 30", "-Xmx300m", seconds=30),
    kind("compiling", "acme.formulas.Formulas 100000", "-Xmx400m", seconds=25, needs="wait 10 alone", jdks="25"),
    kind("redefining", "acme.prices.PriceService licences", needs="agent"),
    # Memory.
    kind("leak-short", "acme.web.Sessions sessions 1", "-Xmx400m", seconds=30),
    kind("leak-settings", "acme.web.Sessions sessions 1", "-Xmx200m", settings="memory-leak", seconds=30, jdks="17"),
    kind("leak-roots", "acme.web.Sessions sessions 1", "-Xmx200m", settings="memory-leak", seconds=25, needs="roots"),
    kind("leak-until-oom", "acme.web.Sessions heavy-sessions 40", "-Xmx150m", jdks="25", seconds=60,
         needs="ends"),
    kind("cache-without-limit", "acme.web.Sessions cache 1", "-Xmx250m", settings="analyze", seconds=40, jdks="25"),
    kind("direct-leak", "acme.web.Sessions uploads 30", "-Xmx100m -XX:MaxDirectMemorySize=600m", seconds=30),
    kind("native-leak", "acme.web.Sessions compressors 10", "-Xmx100m", seconds=40),
    kind("thread-leak", "acme.web.Sessions executors 100", "-Xmx100m", seconds=25),
    kind("heap-small-g1", "acme.catalog.Catalog 150 2 1", "-Xmx200m -XX:+UseG1GC", seconds=20, needs="alone"),
    kind("heap-small-serial", "acme.catalog.Catalog 150 2 3", "-Xmx200m -XX:+UseSerialGC", seconds=20, needs="alone"),
    kind("heap-small-parallel", "acme.catalog.Catalog 140 2 3", "-Xmx200m -XX:+UseParallelGC", needs="alone"),
    kind("system-gc", "acme.catalog.Catalog 60 2 20 collect", "-Xmx300m"),
    kind("finalizers", "acme.handles.Handles finalizers", needs="alone"),
    kind("humongous", "acme.handles.Handles pictures", "-Xmx100m -XX:+UseG1GC"),
    kind("zgc-stall", "acme.catalog.Catalog 70 2 0", "-Xmx160m -XX:+UseZGC", needs="alone"),
    kind("first-sample", "acme.catalog.Catalog 20 2 10", "-Xmx300m", jdks="25", needs="wait 60"),
    kind("first-sample-busy", "acme.catalog.Catalog 20 2 1", "-Xmx300m -XX:+UseG1GC", jdks="25", needs="wait 70"),
    # Work.
    kind("exceptions", "acme.invoices.Invoices amounts", needs="alone"),
    kind("exceptions-deep", "acme.invoices.Invoices searches", settings="analyze", needs="alone", jdks="17"),
    kind("boxing", "acme.invoices.Invoices totals", needs="alone"),
    kind("regex", "acme.invoices.Invoices references", settings="profile", needs="alone"),
    kind("format", "acme.invoices.Invoices book", needs="alone", jdks="25"),
    kind("quadratic", "acme.invoices.Invoices copies", seconds=25, needs="alone"),
    kind("clones", "acme.invoices.Invoices clones", settings="profile", needs="alone", jdks="17"),
    kind("spin", "acme.handles.Handles spin", needs="alone", jdks="25"),
    kind("counted-loop", "acme.handles.Handles loop", "-Xmx100m -XX:+UseSerialGC", settings="profile", seconds=25,
         needs="alone", jdks="17"),
    kind("pinned", "acme.virtual.VirtualShop pinned 500", jdks="25", seconds=25),
    kind("carriers-busy", "acme.virtual.VirtualShop compute", jdks="25", needs="alone"),
    # The JVM.
    kind("code-cache-full", "acme.invoices.Invoices book",
         "-Xmx200m -XX:ReservedCodeCacheSize=2600k -XX:-UseCodeCacheFlushing",
         needs="alone", settings="analyze"),
    kind("interpreted", "acme.invoices.Invoices book", "-Xmx200m -Xint", needs="alone"),
    kind("one-tier", "acme.invoices.Invoices totals 1", "-Xmx300m -XX:TieredStopAtLevel=1", jdks="17", needs="alone"),
    kind("debugger-open", "acme.orders.OrderDesk future 1",
         "-Xmx200m -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=*:0"),
    kind("jmx-open", "acme.prices.PriceService licences", "-Xmx200m -Dcom.sun.management.jmxremote.port=17091 "
         "-Dcom.sun.management.jmxremote.authenticate=false -Dcom.sun.management.jmxremote.ssl=false", jdks="17"),
    kind("throttled", "acme.catalog.Catalog 20 2 2", "-Xmx200m", settings="default", seconds=30, needs="cpu 0.2"),
    kind("throttled-half", "acme.invoices.Invoices totals 2", "-Xmx200m", jdks="25", settings="analyze", seconds=30,
         needs="cpu 0.5"),
    kind("container-full", "acme.web.Sessions uploads 60", "-Xmx100m -XX:MaxDirectMemorySize=600m", settings="analyze",
         seconds=30, needs="memory 340", jdks="25"),
    kind("heap-over-container", "acme.catalog.Catalog 60 2 10", "-Xmx1g", needs="memory 500", jdks="25"),
    kind("killed", "acme.web.Sessions uploads 80", "-Xmx200m", needs="killed 25"),
]

# Nothing is wrong with these.
HEALTHY = [
    kind("ok-http-loaded", "acme.shop.HttpShop 8", seconds=25),
    kind("ok-http-idle", "acme.shop.HttpShop 3000", "-Xmx200m", jdks="25"),
    kind("ok-virtual-loaded", "acme.virtual.VirtualShop calm 15", jdks="25"),
    kind("ok-virtual-idle", "acme.virtual.VirtualShop calm 800", jdks="25"),
    kind("ok-build", "acme.build.Builder 100", "-Xmx300m", seconds=25, jdks="17"),
    kind("ok-framework", "acme.framework.Framework invoke 3"),
    kind("ok-handles", "acme.framework.Framework handle 3", jdks="25", settings="profile"),
    kind("ok-proxies", "acme.framework.Framework proxy 3", jdks="17"),
    kind("ok-sort", "acme.batch.Batch sort 20"),
    kind("ok-parallel-sort", "acme.batch.Batch parallel 200", "-Xmx300m -XX:+UseParallelGC", jdks="25",
         settings="profile"),
    kind("ok-streams", "acme.batch.Batch streams 4", jdks="17"),
    kind("ok-parse", "acme.batch.Batch parse 4", jdks="25"),
    kind("ok-hash", "acme.batch.Batch hash 30", jdks="17", settings="profile"),
    kind("ok-blur", "acme.batch.Batch blur 2", jdks="17"),
    kind("ok-compress", "acme.batch.Batch compress 20", jdks="25"),
    kind("ok-workers", "acme.office.Office workers", jdks="17"),
    kind("ok-scheduler", "acme.office.Office scheduler", "-Xmx100m", jdks="17"),
    kind("ok-desktop", "acme.office.Office desktop", "-Xmx100m", jdks="25"),
    kind("ok-timers", "acme.office.Office timers", "-Xmx100m", jdks="25"),
    kind("ok-watch", "acme.office.Office watch", "-Xmx100m", jdks="17"),
    kind("ok-parked", "acme.office.Office parked", "-Xmx100m", jdks="25"),
    kind("ok-cron", "acme.office.Office cron", "-Xmx60m", jdks="17", settings="analyze"),
    kind("ok-futures", "acme.office.Office futures"),
    kind("ok-counters", "acme.office.Office counters", jdks="25"),
    kind("ok-pool-spare", "acme.data.Repository queue 20 6"),
    kind("ok-event-loop", "acme.loop.EventLoop 0 5", jdks="25"),
    kind("ok-messages", "acme.archive.Archive messages", seconds=25),
    kind("ok-copies", "acme.archive.Archive copies", jdks="25"),
    kind("ok-async-log", "acme.archive.Archive log", jdks="17"),
    kind("ok-cache-full", "acme.archive.Archive cache 20000", "-Xmx200m", seconds=30, jdks="25"),
    kind("ok-cache-filling", "acme.archive.Archive cache 60000", "-Xmx400m", seconds=30, settings="memory-leak",
         jdks="17"),
    kind("ok-database", "acme.archive.Archive database", jdks="25"),
    kind("ok-loaded-at-start", "acme.formulas.Formulas 60", "-Xmx200m", jdks="17", needs="wait 15"),
    kind("ok-big-heap-idle", "acme.office.Office cron 600", "-Xmx1500m", jdks="25"),
    kind("ok-g1", "acme.catalog.Catalog 40 2 8", "-Xmx400m -XX:+UseG1GC", jdks="17", settings="analyze"),
    kind("ok-serial", "acme.catalog.Catalog 40 2 8", "-Xmx400m -XX:+UseSerialGC", jdks="17"),
    kind("ok-parallel", "acme.catalog.Catalog 40 2 8", "-Xmx400m -XX:+UseParallelGC", jdks="25"),
    kind("ok-z", "acme.catalog.Catalog 40 2 8", "-Xmx600m -XX:+UseZGC", jdks="25"),
    kind("ok-shenandoah", "acme.catalog.Catalog 40 2 8", "-Xmx500m -XX:+UseShenandoahGC", jdks="25"),
    kind("ok-container", "acme.shop.HttpShop 40", "-Xmx150m", jdks="25", settings="analyze", needs="memory 500"),
]

KINDS = FAULTS + HEALTHY
BY_NAME = {k.name: k for k in KINDS}
