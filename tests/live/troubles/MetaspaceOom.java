import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

// A class loader leak: each "deployment" defines the same class again and is never let go.
// With -XX:MaxMetaspaceSize it ends in OutOfMemoryError: Metaspace, with none it grows.
public class MetaspaceOom {
	public static class Payload { int a, b, c; public int sum() { return a + b + c; } }

	static class Deployment extends ClassLoader {
		final byte[] code;
		Deployment(byte[] code) { super(MetaspaceOom.class.getClassLoader()); this.code = code; }
		@Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (name.equals("MetaspaceOom$Payload"))
				return findLoadedClass(name) != null ? findLoadedClass(name) : defineClass(name, code, 0, code.length);
			return super.loadClass(name, resolve);
		}
	}

	static byte[] bytes(String name) throws Exception {
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		try (InputStream in = MetaspaceOom.class.getResourceAsStream(name)) {
			for (int b; (b = in.read()) >= 0;)
				all.write(b);
		}
		return all.toByteArray();
	}

	public static void main(String[] args) throws Exception {
		byte[] code = bytes("MetaspaceOom$Payload.class");
		int pauseMillis = Integer.parseInt(args[0]), errors = 0;
		long end = System.nanoTime() + Integer.parseInt(args[1]) * 1_000_000_000L;
		List<Object> kept = new ArrayList<>();
		while (System.nanoTime() < end && errors < 3) {
			try {
				kept.add(new Deployment(code).loadClass("MetaspaceOom$Payload").getDeclaredConstructor().newInstance());
			} catch (OutOfMemoryError e) {
				errors++; // no text: string concatenation would need metaspace, too
			}
			if (pauseMillis > 0)
				Thread.sleep(pauseMillis);
		}
		System.out.println(kept.size());
		System.out.println(errors);
	}
}
