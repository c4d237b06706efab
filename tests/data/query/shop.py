"""Make shop.jfr.gz, the recording of jfrec-query(7)'s examples: two minutes of a small shop.

usage: python3 tests/data/query/shop.py     (from the root of the sources)

In the second minute the bank answers slowly, the heap grows, and orders fail.
"""

import gzip
import sys

sys.path.insert(0, "tests")
from plant import Recording, Types  # noqa: E402

MS = 0.001
MB = 1 << 20
r = Recording(Types("tests/data/ok/jvm-25.jfr"))
seed = 1


def dice(n):
    """A number below n; the same ones each time."""
    global seed
    seed = (seed * 1103515245 + 12345) % (1 << 31)
    return seed // 65536 % n


SEARCH = ["java.lang.String.indexOf", "shop>shop.Catalog.search", "shop>shop.Customer.run"]
ADD = ["java.util.ArrayList.grow", "java.util.ArrayList.add", "shop>shop.Basket.add", "shop>shop.Customer.run"]
CHARGE = ["shop>shop.Payment.charge", "shop>shop.Customer.run"]
STOCK = ["shop>shop.Stock.take", "shop>shop.Customer.run"]
BANK = ["java.net.Socket.read", "shop>shop.Bank.ask", "shop>shop.Payment.charge", "shop>shop.Customer.run"]
FAILED = ["java.lang.Throwable.<init>", "java.lang.Exception.<init>", "shop>shop.OutOfCredit.<init>"] + CHARGE

for second in range(120):
    late = second >= 60
    for n in range(3):
        customer = f"customer-{n}"
        at = second + n * 0.1
        for _ in range(4):
            stack = SEARCH if dice(10) < 6 else ADD if dice(2) else STOCK
            r.add("jdk.ExecutionSample", at + dice(100) * MS, sampledThread=customer, stackTrace=stack,
                  state="STATE_RUNNABLE")
        what = ("byte[]", "java.lang.String", "shop>shop.Article")[dice(3)]
        r.add("jdk.ObjectAllocationSample", at + 0.2, eventThread=customer, stackTrace=ADD,
              objectClass=what.replace("byte[]", "[B"), weight=(1 + dice(8)) * MB // (1 + n))
        r.add("jdk.SocketRead", at, duration=(1 + dice(3)) * MS, eventThread=customer, stackTrace=BANK[:1],
              host="cache.shop", port=6379, bytesRead=200 + dice(800))
        if second % 5 == n:
            slow = 200 + dice(900) if late else 40 + dice(20)
            r.add("jdk.SocketRead", at, duration=slow * MS, eventThread=customer, stackTrace=BANK,
                  host="bank.example", port=443, bytesRead=64)
        if second % 4 == n:
            owner = "stocktaking" if dice(3) else "customer-0"
            r.add("jdk.JavaMonitorEnter", at, duration=(20 + dice(30)) * MS, eventThread=customer,
                  previousOwner=owner, monitorClass="shop>shop.Stock", stackTrace=STOCK)
        if late and second % 10 == n:
            r.add("jdk.JavaExceptionThrow", at, eventThread=customer, stackTrace=FAILED,
                  thrownClass="shop>shop.OutOfCredit", message=f"order {100 + second}")
    r.add("jdk.CPULoad", second, jvmUser=0.5 + 0.01 * dice(30), jvmSystem=0.05, machineTotal=0.75)
    r.add("jdk.FileWrite", second + 0.5, duration=(1 + dice(4)) * MS, eventThread="journal", path="/srv/shop/journal",
          bytesWritten=8192)
    if second % 6 == 0:
        used = (120 + 2 * second) * MB
        longest = (9 + dice(12) + second // 6) * MS
        full = second == 114
        r.add("jdk.GarbageCollection", second + 0.9, duration=longest + (0.3 if full else 0), gcId=second // 6,
              name="G1Full" if full else "G1New", cause="System.gc()" if full else "G1 Evacuation Pause",
              sumOfPauses=longest + (0.3 if full else 0), longestPause=longest + (0.3 if full else 0))
        for when, size in ("Before GC", used + 60 * MB), ("After GC", used):
            r.add("jdk.GCHeapSummary", second + 0.9, gcId=second // 6, when=when, heapUsed=size,
                  heapSpace={"committedSize": 512 * MB, "reservedSize": 1024 * MB})
r.add("jdk.JVMInformation", 0, jvmName="OpenJDK 64-Bit Server VM", javaArguments="shop.Main", pid=4711)

with open("tests/data/query/shop.jfr.gz", "wb") as f:
    f.write(gzip.compress(r.bytes(), 9, mtime=0))
