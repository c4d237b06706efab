/* SPDX-License-Identifier: MIT */
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The JDK's own compiler, over 150 files of the JDK's own sources, again and again.
 *
 * <p>usage: java Compiler.java SOURCES_OF_JAVA_BASE SECONDS
 */
public class Compiler {
	private static final int FILES = 150;

	public static void main(String[] args) throws Exception {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		long end = System.nanoTime() + Long.parseLong(args[1]) * 1_000_000_000L;
		Path out = Files.createTempDirectory("compiled");
		List<String> options =
				List.of("-nowarn", "-proc:none", "-d", out.toString(), "--patch-module", "java.base=" + args[0]);
		List<Path> files;

		try (Stream<Path> all = Files.walk(Path.of(args[0]))) {
			files = all.filter(p -> p.toString().endsWith(".java")).sorted().limit(FILES).toList();
		}
		while (System.nanoTime() < end) {
			try (StandardJavaFileManager manager = compiler.getStandardFileManager(d -> {}, null, null)) {
				compiler.getTask(null, manager, d -> {}, options, null, manager.getJavaFileObjectsFromPaths(files))
						.call();
			}
		}
	}
}
