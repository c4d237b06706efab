package acme.plugins;

import acme.Run;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Each request loads its rule by a class loader of its own; "keep" never lets one go. "PAUSE" between eight, in ms. */
public class Plugins {
	public static class Rule implements IntUnaryOperator {
		public int applyAsInt(int value) {
			return value * 31 + 7;
		}
	}

	static class PluginLoader extends ClassLoader {
		private final byte[] code;

		PluginLoader(byte[] code) {
			super(Plugins.class.getClassLoader());
			this.code = code;
		}

		IntUnaryOperator load() throws Exception {
			Class<?> rule = defineClass("acme.plugins.Plugins$Rule", code, 0, code.length);
			return (IntUnaryOperator) rule.getDeclaredConstructor().newInstance();
		}
	}

	private final byte[] code;
	private final List<IntUnaryOperator> active = new ArrayList<>();
	private final boolean keeps;

	Plugins(byte[] code, boolean keeps) {
		this.code = code;
		this.keeps = keeps;
	}

	int evaluate(int value) throws Exception {
		IntUnaryOperator rule = new PluginLoader(code).load();
		if (keeps)
			active.add(rule);
		return rule.applyAsInt(value);
	}

	public static void main(String[] args) throws Exception {
		byte[] code;
		try (InputStream in = Plugins.class.getResourceAsStream("Plugins$Rule.class")) {
			code = in.readAllBytes();
		}
		Plugins plugins = new Plugins(code, args[0].equals("keep"));
		Run.threads("http-exec-", 1, () -> {
			for (int i = 0; i < 8; i++)
				Run.sink += plugins.evaluate(i);
			Run.pause(Integer.parseInt(args[1]));
		});
		Run.ready();
	}
}
