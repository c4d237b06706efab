package acme.orders;

import acme.Run;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Requests hand their work to a pool that is too small, and wait for it. */
public class OrderDesk {
	private final ExecutorService suppliers = Executors.newFixedThreadPool(2);

	int placeByFuture(int order) throws Exception {
		return suppliers.submit(() -> askSupplier(order)).get();
	}

	/** The common pool has few threads, and all requests use it. */
	int placeByStage(int order) {
		CompletableFuture<Integer> stock = CompletableFuture.supplyAsync(() -> askSupplier(order));
		CompletableFuture<Integer> price = CompletableFuture.supplyAsync(() -> askSupplier(order + 1));
		return stock.thenCombine(price, Integer::sum).join();
	}

	private int askSupplier(int order) {
		Run.pause(120);
		return order * 31;
	}

	public static void main(String[] args) {
		OrderDesk desk = new OrderDesk();
		if (args[0].equals("future"))
			Run.threads("http-exec-", 12, () -> Run.sink += desk.placeByFuture(7));
		else
			Run.threads("http-exec-", 12, () -> Run.sink += desk.placeByStage(7));
		Run.ready();
	}
}
