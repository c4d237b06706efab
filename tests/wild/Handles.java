package acme.handles;

import acme.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/** Smaller sins: finalizers, large arrays, polling, spinning, a loop without an end in sight. */
public class Handles {
	static class Handle {
		private final byte[] state = new byte[64];
		private boolean open = true;

		int use() {
			return state.length;
		}

		@Override
		@SuppressWarnings({"deprecation", "removal"})
		protected void finalize() {
			open = false;
			Run.sink++;
		}
	}

	static int useHandles() {
		int sum = 0;
		for (int i = 0; i < 500; i++)
			sum += new Handle().use();
		Run.pause(1);
		return sum;
	}

	/** Pictures of 1.5 MB each. */
	static final List<int[]> PICTURES = new ArrayList<>();

	static void picture() {
		int[] pixels = new int[400_000];
		for (int i = 0; i < pixels.length; i += 64)
			pixels[i] = i;
		PICTURES.add(pixels);
		if (PICTURES.size() > 8)
			PICTURES.remove(0);
	}

	static final ConcurrentLinkedQueue<Integer> JOBS = new ConcurrentLinkedQueue<>();

	static void poll() {
		Integer job = JOBS.poll();
		if (job == null)
			Run.pause(1);
		else
			Run.sink += job;
	}

	static final AtomicBoolean TURN = new AtomicBoolean();

	static void spin() {
		while (!TURN.compareAndSet(true, false))
			Thread.onSpinWait();
		Run.sink++;
	}

	/** A counted loop, which has no safepoint in it. */
	static long checksum(int[] numbers) {
		long sum = 1;
		for (int round = 0; round < 800; round++)
			for (int i = 0; i < numbers.length; i++)
				sum = sum * 31 + (numbers[i] ^ sum >>> 7);
		return sum;
	}

	public static void main(String[] args) {
		int[] numbers = new int[400_000];
		switch (args[0]) {
		case "finalizers":
			Run.threads("http-exec-", 2, () -> Run.sink += useHandles());
			break;
		case "pictures":
			Run.threads("http-exec-", 1, () -> {
				picture();
				Run.pause(4);
			});
			break;
		case "poll":
			Run.threads("poller-", 30, Handles::poll);
			Run.threads("feeder-", 1, () -> {
				JOBS.add(1);
				Run.pause(50);
			});
			break;
		case "spin":
			Run.threads("waiter-", 1, Handles::spin);
			Run.threads("giver-", 1, () -> {
				Run.pause(20);
				TURN.set(true);
			});
			break;
		default:
			Run.threads("sum-", 1, () -> Run.sink += checksum(numbers));
			Run.threads("http-exec-", 3, () -> {
				Run.sink += new ArrayList<>(List.of(new byte[20_000])).size();
				Run.pause(2);
			});
		}
		Run.ready();
	}
}
