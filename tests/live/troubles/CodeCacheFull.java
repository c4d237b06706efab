import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

// Very many hot methods (each copy of a class has its own) in a code cache of a few megabytes.
public class CodeCacheFull {
	public interface Work { int work(int x); }

	public static class Impl implements Work {
		public int work(int x) {
			int r = x;
			for (int i = 0; i < 8; i++) {
				r = r * 31 + Integer.toString(r).hashCode();
				r ^= String.valueOf(r + i).length() + Long.toHexString(r).hashCode();
				r += new StringBuilder().append(r).append(i).append("x").reverse().length();
			}
			return r;
		}
	}

	static class Copy extends ClassLoader {
		final byte[] code;
		Copy(byte[] code) { super(CodeCacheFull.class.getClassLoader()); this.code = code; }
		@Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (name.equals("CodeCacheFull$Impl"))
				return findLoadedClass(name) != null ? findLoadedClass(name) : defineClass(name, code, 0, code.length);
			return super.loadClass(name, resolve);
		}
	}

	static byte[] bytes(String name) throws Exception {
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		try (InputStream in = CodeCacheFull.class.getResourceAsStream(name)) {
			for (int b; (b = in.read()) >= 0;)
				all.write(b);
		}
		return all.toByteArray();
	}

	public static void main(String[] args) throws Exception {
		byte[] code = bytes("CodeCacheFull$Impl.class");
		long end = System.nanoTime() + Integer.parseInt(args[0]) * 1_000_000_000L;
		List<Work> all = new ArrayList<>();
		int sum = 0;
		while (System.nanoTime() < end) {
			Work w = (Work) new Copy(code).loadClass("CodeCacheFull$Impl").getDeclaredConstructor().newInstance();
			all.add(w);
			for (int i = 0; i < 2500; i++)
				sum += w.work(i);
		}
		System.out.println(all.size() + " classes " + sum);
	}
}
