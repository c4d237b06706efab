// A big, badly shaped live set (one long linked list in many pieces) under the serial
// collector: every full collection stops the application for long.
public class LongPause {
	static final class Node { Node next; long a, b; Node(Node n) { next = n; } }
	static Node[] roots = new Node[64];
	static volatile Object sink;

	public static void main(String[] args) throws Exception {
		int seconds = Integer.parseInt(args[0]);
		for (int i = 0; i < 12_000_000; i++) {
			int slot = (int) ((i * 2654435761L) >>> 26) & 63;
			roots[slot] = new Node(roots[slot]);
		}
		long end = System.nanoTime() + seconds * 1_000_000_000L;
		while (System.nanoTime() < end) {
			for (int i = 0; i < 500_000; i++)
				sink = new byte[100];
			System.gc();
		}
	}
}
