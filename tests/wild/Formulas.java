package acme.formulas;

import acme.Run;
import java.io.InputStream;
import java.util.function.LongUnaryOperator;

/** Very many small methods, so that the compiler always has work: in classes that are loaded all the time. */
public class Formulas {
	public static class Formula implements LongUnaryOperator {
		private long scale(long x) {
			return x * 37 + (x >> 3);
		}

		private long bend(long x) {
			return (x & 1) == 0 ? scale(x) : scale(x + 1) - 5;
		}

		private long fold(long x) {
			long sum = 0;
			for (int i = 0; i < 30; i++)
				sum += bend(x + i) ^ sum;
			return sum;
		}

		public long applyAsLong(long x) {
			return fold(x) + fold(x + 1) + bend(x);
		}
	}

	static class Loader extends ClassLoader {
		LongUnaryOperator load(byte[] code) throws Exception {
			return (LongUnaryOperator) defineClass("acme.formulas.Formulas$Formula", code, 0, code.length)
				.getDeclaredConstructor().newInstance();
		}
	}

	public static void main(String[] args) throws Exception {
		byte[] code;
		try (InputStream in = Formulas.class.getResourceAsStream("Formulas$Formula.class")) {
			code = in.readAllBytes();
		}
		java.util.List<LongUnaryOperator> all = new java.util.ArrayList<>();
		Run.threads("sheet-", 1, () -> {
			if (all.size() < Integer.parseInt(args[0]))
				all.add(new Loader().load(code));
			LongUnaryOperator last = all.get(all.size() - 1);
			for (int i = 0; i < 12_000; i++)
				Run.sink += last.applyAsLong(i);
			if (all.size() == Integer.parseInt(args[0]))
				Run.pause(20);
		});
		Run.ready();
	}
}
