import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

// Events faster than the disk and small buffers can take: DataLoss.
public class Loss {
	@Name("test.Flood")
	@StackTrace(false)
	static class Flood extends Event { long a, b, c; String text; }

	public static void main(String[] args) throws Exception {
		long end = System.nanoTime() + Integer.parseInt(args[0]) * 1_000_000_000L;
		Thread[] threads = new Thread[args.length > 1 ? Integer.parseInt(args[1]) : 16];
		for (int i = 0; i < threads.length; i++) {
			String text = new String(new char[120]).replace('\0', 'x');
			threads[i] = new Thread(() -> {
				while (System.nanoTime() < end)
					for (int k = 0; k < 2000; k++) {
						Flood f = new Flood();
						f.a = k;
						f.text = text;
						f.commit();
					}
			}, "flood-" + i);
			threads[i].start();
		}
		for (Thread t : threads)
			t.join();
	}
}
