/* SPDX-License-Identifier: MIT */
/*
 * Shop.java - a small shop: customers over sockets, orders behind a lock, a journal on the disk
 *
 *    java Shop [SECONDS]
 *
 * It prints "ready", and goes on until it is killed, or for so many seconds.  What there is to find:
 * Catalog.search is hot; Basket allocates most; customers wait for the lock of Stock, which
 * the thread "stocktaking" holds; a hundred orders in each some seconds fail in Payment.charge; the
 * bank (a socket) answers slowly, the cache fast.
 */
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

public class Shop {
	static class OutOfCreditException extends Exception {
		OutOfCreditException(String why) {
			super(why);
		}
	}

	static class Catalog {
		final String[] names = new String[20000];

		Catalog() {
			for (int i = 0; i < names.length; i++)
				names[i] = "article " + Integer.toHexString(i * 7919);
		}

		int search(String part) {
			int found = 0;

			for (String name : names)
				found += name.endsWith(part) ? 1 : 0;
			return found;
		}
	}

	static class Basket {
		final List<byte[]> articles = new ArrayList<>();

		void add(int size) {
			articles.add(new byte[size]);
		}
	}

	static class Stock {
		int left = 1 << 30;

		synchronized void take() {
			left--;
		}

		synchronized void count() {
			pause(25);
		}
	}

	static class Payment {
		static void charge(int order) throws OutOfCreditException {
			if (order % 7 == 0)
				throw new OutOfCreditException("order " + order);
		}
	}

	/* Answers a byte with a byte, after a while. */
	static class Peer {
		final ServerSocket server;

		Peer(String name, int ms) throws IOException {
			server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
			start(name, () -> {
				Socket customer = server.accept();

				start(name + " connection", () -> {
					int c = customer.getInputStream().read();

					if (c < 0)
						throw new IOException("gone");
					pause(ms);
					customer.getOutputStream().write(c);
				});
			});
		}

		Socket connect() throws IOException {
			return new Socket(server.getInetAddress(), server.getLocalPort());
		}
	}

	interface Step {
		void run() throws Exception;
	}

	static final Catalog catalog = new Catalog();
	static final Stock stock = new Stock();
	static volatile int failed, found;

	static void pause(long ms) {
		try {
			Thread.sleep(ms);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	/* Over and over, until it fails. */
	static void start(String name, Step step) {
		Thread t = new Thread(() -> {
			try {
				for (;;)
					step.run();
			} catch (Exception e) {
				System.out.println(name + ": " + e);
			}
		}, name);

		t.setDaemon(true);
		t.start();
	}

	static void ask(Socket s) throws IOException {
		OutputStream out = s.getOutputStream();
		InputStream in = s.getInputStream();

		out.write('?');
		out.flush();
		in.read();
	}

	static void startCustomer(int n, Peer bank, Peer cache) throws IOException {
		Socket toBank = bank.connect(), toCache = cache.connect();
		Random random = new Random(n);
		int[] orders = new int[1];

		start("customer-" + n, () -> {
			Basket basket = new Basket();
			int order = orders[0]++;

			pause(5);
			ask(toCache);
			found += catalog.search(Integer.toHexString(random.nextInt(4096)));
			for (int i = 0; i < 20; i++)
				basket.add(1000 + random.nextInt(4000));
			stock.take();
			if (order % 10 == 0)
				ask(toBank);
			try {
				Payment.charge(order);
			} catch (OutOfCreditException e) {
				failed++;
			}
		});
	}

	public static void main(String[] arguments) throws Exception {
		Peer bank = new Peer("bank", 60), cache = new Peer("cache", 2);
		File journal = File.createTempFile("shop", ".journal");
		RandomAccessFile file = new RandomAccessFile(journal, "rw");

		journal.delete();
		for (int i = 0; i < 4; i++)
			startCustomer(i, bank, cache);
		start("stocktaking", () -> {
			stock.count();
			pause(50);
		});
		start("journal", () -> {
			file.seek(0);
			file.write(new byte[8192]);
			file.getFD().sync();
			pause(100);
		});
		start("cleaner", () -> {
			System.gc();
			pause(2000);
		});
		System.out.println("ready");
		pause(arguments.length > 0 ? 1000 * Long.parseLong(arguments[0]) : Long.MAX_VALUE);
	}
}
