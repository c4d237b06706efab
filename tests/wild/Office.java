package acme.office;

import acme.Run;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Programs that wait most of their time, because there is nothing to do. */
public class Office {
	static int task() {
		int sum = 0;
		for (int i = 0; i < 20_000; i++)
			sum = sum * 31 + i;
		return sum;
	}

	/** Workers wait in take(); something comes now and then. */
	static void workers() {
		BlockingQueue<Runnable> jobs = new LinkedBlockingQueue<>();
		Run.threads("worker-", 12, () -> jobs.take().run());
		Run.threads("mail-", 1, () -> {
			Run.pause(40);
			jobs.add(() -> Run.sink += task());
		});
	}

	static void scheduler() {
		Executors.newScheduledThreadPool(6).scheduleAtFixedRate(() -> Run.sink += task(), 1, 1, TimeUnit.SECONDS);
	}

	/** A window that nobody touches: one thread has its events, a clock ticks, a pool is ready. */
	static void desktop() throws Exception {
		BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
		Run.threads("event-queue-", 1, () -> events.take().run());
		new Timer("clock", true).schedule(new TimerTask() {
			@Override
			public void run() {
				events.add(() -> Run.sink += task());
			}
		}, 0, 500);
		ExecutorService pool = Executors.newFixedThreadPool(4);
		for (int i = 0; i < 4; i++)
			pool.submit(Office::task).get();
	}

	static void timers() {
		for (int i = 0; i < 5; i++)
			new Timer("timer-" + i).schedule(new TimerTask() {
				@Override
				public void run() {
					Run.sink += task();
				}
			}, 100, 300);
	}

	static void watch() throws Exception {
		Path folder = Files.createTempDirectory("office");
		folder.toFile().deleteOnExit();
		WatchService service = FileSystems.getDefault().newWatchService();
		folder.register(service, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
		Run.threads("watcher-", 1, () -> {
			WatchKey key = service.take();
			Run.sink += key.pollEvents().size();
			key.reset();
		});
		Run.threads("writer-", 1, () -> {
			Path file = Files.createFile(folder.resolve("letter"));
			Files.delete(file);
			Run.pause(700);
		});
	}

	/** Many threads that wait for the end of the day. */
	static void parked() {
		CountDownLatch evening = new CountDownLatch(1);
		for (int i = 0; i < 200; i++)
			new Thread(() -> {
				try {
					evening.await();
				} catch (InterruptedException e) {
					Thread.currentThread().interrupt();
				}
			}, "guest-" + i).start();
	}

	/** Looks each second whether a job is due. */
	static void cron() {
		Run.threads("cron-", 1, () -> {
			Run.sink += task();
			Run.pause(1000);
		});
	}

	/** Each request asks two services at once, and waits for both: the pool is large enough. */
	static void futures() {
		ExecutorService services = Executors.newFixedThreadPool(20);
		Run.threads("http-exec-", 5, () -> {
			Future<Integer> stock = services.submit(() -> {
				Run.pause(6);
				return task();
			});
			Future<Integer> price = services.submit(() -> {
				Run.pause(4);
				return task();
			});
			Run.sink += stock.get() + price.get();
			Run.pause(50);
		});
	}

	/** Several threads use one counter, shortly. */
	private static final Object COUNTER = new Object();
	private static int counted;

	static void counters() {
		Run.threads("http-exec-", 8, () -> {
			for (int i = 0; i < 20; i++)
				synchronized (COUNTER) {
					counted += task() & 1;
				}
			Run.pause(20);
		});
	}

	public static void main(String[] args) throws Exception {
		byte[][] data = new byte[args.length > 1 ? Integer.parseInt(args[1]) : 0][1 << 20];
		switch (args[0]) {
		case "workers":
			workers();
			break;
		case "scheduler":
			scheduler();
			break;
		case "desktop":
			desktop();
			break;
		case "timers":
			timers();
			break;
		case "watch":
			watch();
			break;
		case "parked":
			parked();
			break;
		case "futures":
			futures();
			break;
		case "counters":
			counters();
			break;
		default:
			cron();
		}
		Run.ready();
		Thread.sleep(600_000);
		Run.sink += data.length;
	}
}
