import java.lang.reflect.Method;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

// Virtual threads that block where they cannot be unmounted. Up to JDK 23 a synchronized block
// is enough; since JDK 24 (JEP 491) only native and VM frames pin, so the class initializer of
// one class is waited for, too, and a blocking call is made inside another one's.
public class Pinning {
	static final Object lock = new Object();
	static final AtomicInteger done = new AtomicInteger();

	static class Slow {
		static int value;
		static {
			try { Thread.sleep(300); } catch (InterruptedException e) { }
			value = 1;
		}
	}

	static void inMonitor() {
		synchronized (lock) {
			try { Thread.sleep(50); } catch (InterruptedException e) { }
		}
	}

	public static void main(String[] args) throws Exception {
		int n = Integer.parseInt(args[0]);
		Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
		CountDownLatch end = new CountDownLatch(2 * n);
		for (int i = 0; i < n; i++) {
			start.invoke(null, (Runnable) () -> { inMonitor(); done.incrementAndGet(); end.countDown(); });
			start.invoke(null, (Runnable) () -> { done.addAndGet(Slow.value); end.countDown(); });
		}
		end.await();
		System.out.println(done);
	}
}
