package acme.invoices;

import acme.Run;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Work on invoices that costs more than it should. */
public class Invoices {
	static class Invoice implements Serializable {
		final int number;
		final String customer;
		final List<Double> lines = new ArrayList<>();

		Invoice(int number) {
			this.number = number;
			customer = "customer " + number % 300;
			for (int i = 0; i < 20; i++)
				lines.add(number * 0.5 + i);
		}
	}

	static class NotANumber extends Exception {
		NotANumber(String text) {
			super("not a number: " + text);
		}
	}

	private final List<Invoice> invoices = new ArrayList<>();

	Invoices(int count) {
		for (int i = 0; i < count; i++)
			invoices.add(new Invoice(i));
	}

	// Exceptions as the answer "no".

	private static int amount(String text) throws NotANumber {
		try {
			return Integer.parseInt(text);
		} catch (NumberFormatException e) {
			throw new NotANumber(text);
		}
	}

	long amounts() {
		long sum = 0;
		for (int i = 0; i < 200; i++) {
			try {
				sum += amount(i % 4 == 0 ? "" + i : "n/a");
			} catch (NotANumber e) {
				sum--;
			}
		}
		return sum;
	}

	/** Found: thrown from the depth of a search. */
	private static final class Found extends RuntimeException {
		final int at;

		Found(int at) {
			this.at = at;
		}
	}

	private void descend(int depth, int at) {
		if (depth == 0)
			throw new Found(at);
		descend(depth - 1, at + depth);
	}

	long searches() {
		long sum = 0;
		for (int i = 0; i < 100; i++) {
			try {
				descend(180, i);
			} catch (Found e) {
				sum += e.at;
			}
		}
		return sum;
	}

	// Numbers as objects.

	long totals() {
		Map<Long, Long> totals = new HashMap<>();
		for (Invoice invoice : invoices)
			for (Double line : invoice.lines)
				totals.merge((long) (invoice.number % 1000), (long) (line * 100), Long::sum);
		Long sum = 0L;
		for (Long total : totals.values())
			sum += total;
		return sum;
	}

	// A pattern that is tried in very many ways.

	private static final Pattern REFERENCE = Pattern.compile("^(([a-z])+.)+[A-Z]([a-z])+$");

	int references() {
		int good = 0;
		for (int i = 0; i < 20; i++) {
			Matcher matcher = REFERENCE.matcher("invoiceinvoicein" + i);
			if (matcher.matches())
				good++;
		}
		return good;
	}

	// Messages that are made, whatever the level.

	private final AtomicInteger written = new AtomicInteger();

	private void debug(String format, Object... values) {
		String message = String.format(format, values);
		if (message.length() > 500)
			written.incrementAndGet();
	}

	int book() {
		for (int i = 0; i < 50; i++) {
			Invoice invoice = invoices.get(i);
			debug("booking invoice %08d of %-20s: %s lines, %.2f in all", invoice.number, invoice.customer,
				invoice.lines.size(), invoice.number * 0.5);
		}
		return written.get();
	}

	// Each with each.

	private boolean isCopy(Invoice a, Invoice b) {
		return a != b && a.customer.equals(b.customer) && a.lines.size() == b.lines.size()
			&& a.lines.get(0).equals(b.lines.get(0));
	}

	int copies() {
		int found = 0;
		for (Invoice a : invoices)
			for (Invoice b : invoices)
				if (isCopy(a, b))
					found++;
		return found;
	}

	// By way of bytes.

	int cloneAll() throws Exception {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
			out.writeObject(new ArrayList<>(invoices.subList(0, 50)));
		}
		try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
			return ((List<?>) in.readObject()).size();
		}
	}

	public static void main(String[] args) {
		Invoices invoices = new Invoices(4000);
		Map<String, Run.Step> steps = Map.of(
			"amounts", () -> Run.sink += invoices.amounts(),
			"searches", () -> Run.sink += invoices.searches(),
			"totals", () -> Run.sink += invoices.totals(),
			"references", () -> Run.sink += invoices.references(),
			"book", () -> Run.sink += invoices.book(),
			"copies", () -> Run.sink += invoices.copies(),
			"clones", () -> Run.sink += invoices.cloneAll());
		Run.threads("batch-", args.length > 1 ? Integer.parseInt(args[1]) : 1, steps.get(args[0]));
		Run.ready();
	}
}
