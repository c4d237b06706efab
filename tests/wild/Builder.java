package acme.build;

import acme.Run;
import java.net.URI;
import java.util.List;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles a source over and over, as a build does: into memory, by the compiler of the JDK. */
public class Builder {
	static class Source extends SimpleJavaFileObject {
		private final String text;

		Source(String name, String text) {
			super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
			this.text = text;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreErrors) {
			return text;
		}
	}

	static class Result extends SimpleJavaFileObject {
		Result(String name) {
			super(URI.create("mem:///" + name + ".class"), Kind.CLASS);
		}

		@Override
		public java.io.OutputStream openOutputStream() {
			return new java.io.ByteArrayOutputStream();
		}
	}

	static String source(int number) {
		StringBuilder text = new StringBuilder("import java.util.*; class Unit" + number + " {\n");
		for (int i = 0; i < 60; i++)
			text.append("\tint method" + i + "(List<String> all) { int n = 0; for (String s : all) n += s.length() * " + i
				+ "; return n; }\n");
		return text.append("}\n").toString();
	}

	static boolean build(JavaCompiler compiler, int number) {
		JavaFileManager files = new ForwardingJavaFileManager<>(compiler.getStandardFileManager(null, null, null)) {
			@Override
			public JavaFileObject getJavaFileForOutput(Location at, String name, JavaFileObject.Kind kind, FileObject sibling) {
				return new Result(name);
			}
		};
		return compiler.getTask(null, files, null, null, null, List.of(new Source("Unit" + number, source(number)))).call();
	}

	public static void main(String[] args) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		int[] number = {0};
		int pause = Integer.parseInt(args[0]);
		Run.threads("build-", 1, () -> {
			Run.sink += build(compiler, number[0]++) ? 1 : 0;
			Run.pause(pause);
		});
		Run.ready();
	}
}
