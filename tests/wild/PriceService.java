package acme.prices;

import acme.Run;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/** Prices behind one lock of some kind: the work that is done under it is too long. */
public class PriceService {
	private final Map<Integer, Double> prices = new HashMap<>();
	private final ReentrantLock guard = new ReentrantLock();
	private final Semaphore licences = new Semaphore(3);

	synchronized double priceOf(int article) {
		return lookUp(article);
	}

	double guardedPriceOf(int article) {
		guard.lock();
		try {
			return lookUp(article);
		} finally {
			guard.unlock();
		}
	}

	double licensedPriceOf(int article) throws InterruptedException {
		licences.acquire();
		try {
			Run.pause(40);
			return article * 1.5;
		} finally {
			licences.release();
		}
	}

	private double lookUp(int article) {
		Double known = prices.get(article % 5000);
		if (known == null) {
			Run.pause(25);
			known = article % 5000 * 1.19;
			prices.put(article % 5000, known);
		}
		return known;
	}

	public static void main(String[] args) {
		PriceService service = new PriceService();
		java.util.Random random = new java.util.Random(7);
		Run.Step step;
		switch (args[0]) {
		case "synchronized":
			step = () -> Run.sink += (long) service.priceOf(random.nextInt());
			break;
		case "reentrant":
			step = () -> Run.sink += (long) service.guardedPriceOf(random.nextInt());
			break;
		default:
			step = () -> Run.sink += (long) service.licensedPriceOf(random.nextInt());
		}
		Run.threads("http-exec-", 14, () -> {
			step.run();
			Run.pause(5);
		});
		Run.ready();
	}
}
