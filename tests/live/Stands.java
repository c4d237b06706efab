import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.ReentrantLock;

/** Threads that stand in each other's way, or only look like it: one trouble per argument. */
public class Stands {
	static final Object LEFT = new Object();
	static final Object RIGHT = new Object();
	static final ReentrantLock FIRST = new ReentrantLock();
	static final ReentrantLock SECOND = new ReentrantLock();
	static volatile long sink;

	interface Task {
		void run() throws Exception;
	}

	static Thread start(String name, Task task) {
		Thread t = new Thread(() -> go(task), name);
		t.start();
		return t;
	}

	static void go(Task task) {
		try {
			task.run();
		} catch (Exception e) {
			throw new IllegalStateException(e);
		}
	}

	static void monitors(Object mine, Object other, CountDownLatch both) throws Exception {
		synchronized (mine) {
			both.countDown();
			both.await();
			synchronized (other) {
				sink++;
			}
		}
	}

	static void locks(ReentrantLock mine, ReentrantLock other, CountDownLatch both) throws Exception {
		mine.lock();
		both.countDown();
		both.await();
		other.lock();
	}

	static void lockThenMonitor(CountDownLatch both) throws Exception {
		FIRST.lock();
		both.countDown();
		both.await();
		synchronized (LEFT) {
			sink++;
		}
	}

	static void monitorThenLock(CountDownLatch both) throws Exception {
		synchronized (LEFT) {
			both.countDown();
			both.await();
			FIRST.lock();
		}
	}

	static class Egg {
		static final long VALUE;
		static {
			pause(500);
			VALUE = Hen.VALUE + System.nanoTime();
		}
	}

	static class Hen {
		static final long VALUE;
		static {
			pause(500);
			VALUE = Egg.VALUE + System.nanoTime();
		}
	}

	static void pause(long ms) {
		try {
			Thread.sleep(ms);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	/* Workers that wait for what they gave to their own executor. */
	static void exhaust(ExecutorService pool, CountDownLatch all) throws Exception {
		all.countDown();
		all.await();
		Future<?> inner = pool.submit(() -> sink++);
		inner.get();
	}

	static void spin() {
		while (true)
			sink++;
	}

	/* Workers that all stand in one call, a socket that does not answer, while others wait. */
	static long ask(Socket backend) throws Exception {
		return backend.getInputStream().read();
	}

	static void backend(int workers, boolean awaited) throws Exception {
		ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		ExecutorService pool = Executors.newFixedThreadPool(workers);
		for (int i = 0; i < workers; i++)
			pool.submit(() -> ask(new Socket(silent.getInetAddress(), silent.getLocalPort())));
		for (int i = 0; awaited && i < 3; i++)
			start("caller-" + i, () -> pool.submit(() -> sink++).get());
	}

	static void behind() throws Exception {
		CountDownLatch held = new CountDownLatch(1);
		start("holder", () -> {
			synchronized (LEFT) {
				held.countDown();
				pause(1000000);
			}
		});
		held.await();
		start("heir", () -> {
			synchronized (RIGHT) {
				synchronized (LEFT) {
					sink++;
				}
			}
		});
		pause(300);
		for (int i = 0; i < 5; i++)
			start("queued-" + i, () -> {
				synchronized (RIGHT) {
					sink++;
				}
			});
	}

	static void serve(ServerSocket at) throws Exception {
		while (true) {
			Socket s = at.accept();
			start("connection-" + s.getPort(), () -> {
				InputStream in = s.getInputStream();
				OutputStream out = s.getOutputStream();
				for (int c; (c = in.read()) >= 0;)
					out.write(c);
			});
		}
	}

	static void servers() throws Exception {
		for (int k = 0; k < 2; k++) {
			ServerSocket at = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
			start("acceptor-" + k, () -> serve(at));
			for (int i = 0; i < 8; i++) {
				Socket s = new Socket(at.getInetAddress(), at.getLocalPort());
				start("keep-alive-" + k + "-" + i, () -> s.getInputStream().read());
			}
		}
	}

	static void idle() throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(20);
		for (int i = 0; i < 20; i++)
			pool.submit(() -> pause(20));
		Executors.newScheduledThreadPool(4).scheduleAtFixedRate(() -> sink++, 0, 50,
			java.util.concurrent.TimeUnit.MILLISECONDS);
		java.util.concurrent.ForkJoinPool.commonPool().submit(() -> sink++).get();
		Executors.newCachedThreadPool().submit(() -> sink++).get();
	}

	static void pingPong() {
		SynchronousQueue<Integer> there = new SynchronousQueue<>();
		SynchronousQueue<Integer> back = new SynchronousQueue<>();
		start("ping", () -> {
			for (int i = 0;; i++) {
				there.put(i);
				back.take();
			}
		});
		start("pong", () -> {
			while (true)
				back.put(there.take());
		});
		start("tick", () -> {
			while (true)
				synchronized (RIGHT) {
					RIGHT.notifyAll();
					RIGHT.wait(1);
				}
		});
		start("tock", () -> {
			while (true)
				synchronized (RIGHT) {
					RIGHT.notifyAll();
					RIGHT.wait(1);
				}
		});
	}

	static void virtually(Task task) throws Exception {
		Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable) () -> go(task));
	}

	public static void main(String[] args) throws Exception {
		for (String trouble : args) {
			CountDownLatch both = new CountDownLatch(2);
			switch (trouble) {
			case "monitor":
				start("left", () -> monitors(LEFT, RIGHT, both));
				start("right", () -> monitors(RIGHT, LEFT, both));
				break;
			case "juc":
				start("first", () -> locks(FIRST, SECOND, both));
				start("second", () -> locks(SECOND, FIRST, both));
				break;
			case "mixed":
				start("locker", () -> lockThenMonitor(both));
				start("monitor", () -> monitorThenLock(both));
				break;
			case "classes":
				start("egg", () -> sink = Egg.VALUE);
				start("hen", () -> sink = Hen.VALUE);
				break;
			case "pool":
				ExecutorService pool = Executors.newFixedThreadPool(4);
				CountDownLatch all = new CountDownLatch(4);
				for (int i = 0; i < 4; i++)
					pool.submit(() -> go(() -> exhaust(pool, all)));
				break;
			case "backend":
				backend(6, true);
				break;
			case "unawaited":
				backend(6, false);
				break;
			case "behind":
				behind();
				break;
			case "spin":
				start("spinner", Stands::spin);
				break;
			case "servers":
				servers();
				break;
			case "idle":
				idle();
				break;
			case "pingpong":
				pingPong();
				break;
			case "virtual-monitor":
				virtually(() -> monitors(LEFT, RIGHT, both));
				virtually(() -> monitors(RIGHT, LEFT, both));
				break;
			case "virtual-juc":
				virtually(() -> locks(FIRST, SECOND, both));
				virtually(() -> locks(SECOND, FIRST, both));
				break;
			case "virtual-mixed":
				start("locker", () -> lockThenMonitor(both));
				virtually(() -> monitorThenLock(both));
				break;
			default:
				throw new IllegalArgumentException(trouble);
			}
		}
		System.out.println("ready");
		Thread.sleep(10 * 60 * 1000);
	}
}
