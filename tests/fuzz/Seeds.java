/* SPDX-License-Identifier: MIT */
/*
 * Seeds.java - small recordings that the fuzzer begins with
 *
 *    java -cp CLASSES Seeds DIRECTORY
 *
 * Each has one thing in it that tests/data/ok has only in recordings too large
 * for a fuzzer: constants in circles, chains of checkpoints, unfinished chunks.
 * tests/data/Craft.java knows the format.
 */
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

public final class Seeds {
	private static final long EPOCH = 1_700_000_000_000_000_000L;

	private static Craft craft() {
		return new Craft(1, EPOCH, 0, 1_000_000_000L).region("gmtOffset", 3600000, "dst", 0);
	}

	/** One event and nothing else. */
	private static byte[] point() {
		Craft c = craft();
		c.thread(1, "main", 1, false);
		return c.commit(c.event("Point", false), 10, 1).chunk(100);
	}

	/** Strings that are hard to print. */
	private static byte[] strings() {
		Craft c = craft();
		Type e = c.event("Strings", true).field("a", c.string()).field("b", c.string()).key("c", c.get("jdk.types.Symbol"));
		c.constant(c.get("jdk.types.Symbol"), 1, "from the pool").constant(c.get("jdk.types.Symbol"), 2, new Object[] {null});
		c.commit(e, 1, 2, 0, null, "", 1).commit(e, 3, 4, 0, "\u00e9\ud83d\ude00", "\ud800x", 2);
		return c.commit(e, 5, 6, 0, "\u001b[31m\n<&>\"\\", "\u0000", 99).chunk(100);
	}

	/** Arrays of all that arrays can be of, empty ones too. */
	private static byte[] arrays() {
		Craft c = craft();
		Type pair = c.type("Pair").field("x", c.get("int")).array("y", c.get("double"));
		Type e = c.event("Arrays", false).array("longs", c.get("long")).array("strings", c.string())
			.array("pairs", pair).array("booleans", c.get("boolean"));
		c.commit(e, 1, 0, new Object[] {1L, -1L}, new Object[] {"a", null, ""},
			new Object[] {new Object[] {7, new Object[] {0.5, 1e300}}, new Object[] {8, new Object[0]}},
			new Object[] {true, false});
		return c.commit(e, 2, 0, new Object[0], new Object[0], new Object[0], new Object[0]).chunk(100);
	}

	/** Secrets where only what stands before them says so. */
	private static byte[] secrets() {
		Craft c = craft();
		Type pair = c.type("Pair").field("key", c.string()).field("value", c.string());
		Type boxed = c.type("Boxed").field("text", c.string());
		boxed.key("next", boxed);
		Type e = c.event("Secrets", false).array("pairs", pair).array("argv", c.string()).key("secretRef", boxed)
			.field("pin", c.get("int")).field("property", c.string()).array("bytes", c.get("byte"));
		c.constant(boxed, 1, "first", 2L).constant(boxed, 2, "second", 1L);
		c.commit(e, 1, 0, new Object[] {new Object[] {"password", "x7Kq2mPw9z"}, new Object[] {"Accept", "text/html"}},
			new Object[] {"curl", "-u", "bob:W1nterx2", "--token", "pass\\u0077ord=a"}, 1L, 4711, "api.key",
			new Object[] {(byte) 'a', (byte) 'b', (byte) 'c', (byte) 'd'});
		return c.commit(e, 2, 0, new Object[0], new Object[] {"X-Api-Key", "x7Kq2mPw9z"}, 9L, 0,
			"card 4111 1111 1111 1111", new Object[0]).chunk(100);
	}

	/** Stack traces: none, empty, truncated, longer than what is shown. */
	private static byte[] stacks() {
		Craft c = craft();
		Type e = c.event("Sample", false).key("stackTrace", c.stackTrace);
		String[] symbols = {"java/lang/Object", "run", "(I[JLa/b;)V", "bootstrap"};
		for (int i = 0; i < symbols.length; i++)
			c.constant(c.get("jdk.types.Symbol"), i + 1, symbols[i]);
		c.constant(c.get("jdk.types.ClassLoader"), 1, 1, 4).constant(c.get("java.lang.Class"), 1, 1, 1, 1, false)
			.constant(c.get("jdk.types.Method"), 1, 1, 2, 3, 1, false).constant(c.get("jdk.types.FrameType"), 1, "Inlined");
		for (int depth = 0; depth < 9; depth += 4) {
			Object[] frames = new Object[depth];
			for (int i = 0; i < depth; i++)
				frames[i] = new Object[] {i % 3, 10 * i, i, 1};
			c.constant(c.stackTrace, depth + 1, depth == 4, frames);
		}
		for (int i = 0; i < 10; i++)
			c.commit(e, i, 0, i);
		return c.chunk(100);
	}

	/** Constants that refer to themselves and to each other. */
	private static byte[] circles() {
		Craft c = craft();
		Type node = c.type("Node");
		node.field("name", c.string()).key("next", node).key("other", node);
		Type e = c.event("Circle", false).key("node", node);
		c.constant(node, 1, "self", 1, 0).constant(node, 2, "two", 3, 4).constant(node, 3, "three", 2, 1)
			.constant(node, 4, "four", 3, 2).constant(c.group, 1, 1, "its own parent")
			.constant(c.thread, 1, "os", 1, "java", 1, 1, false);
		for (int i = 1; i < 6; i++)
			c.commit(e, i, 1, i);
		return c.chunk(100);
	}

	/** Every constant refers twice to the next: 2^60 texts in one event. */
	private static byte[] doubling() {
		Craft c = craft();
		Type node = c.type("Node");
		node.key("left", node).key("right", node);
		for (int i = 1; i < 60; i++)
			c.constant(node, i, i + 1, i + 1);
		return c.commit(c.event("Doubling", false).key("node", node), 1, 0, 1).chunk(100);
	}

	/** All constants refer to all others: each path through them ends at a circle. */
	private static byte[] clique() {
		Craft c = craft();
		Type node = c.type("Node");
		Object[] all = new Object[16];
		for (int i = 0; i < all.length; i++) {
			node.key("n" + i, node);
			all[i] = i + 1;
		}
		for (int i = 0; i < all.length; i++)
			c.constant(node, i + 1, all);
		return c.commit(c.event("Clique", false).key("node", node), 1, 0, 1).chunk(100);
	}

	/** Old objects and what holds them, as the JVM writes it. */
	private static byte[] objects() {
		Craft c = craft();
		Type array = c.type("jdk.types.OldObjectArray").field("size", c.get("int")).field("index", c.get("int"));
		Type field = c.type("jdk.types.OldObjectField").field("name", c.string()).field("modifiers", c.get("short"));
		Type object = c.type("jdk.types.OldObject"), reference = c.type("jdk.types.Reference");
		object.field("address", c.get("long"), c.annotation("MemoryAddress")).key("type", c.get("java.lang.Class"))
			.field("description", c.string()).key("referrer", reference);
		reference.key("array", array).key("field", field).key("object", object).field("skip", c.get("int"));
		c.constant(c.get("jdk.types.Symbol"), 1, "a/B").constant(c.get("java.lang.Class"), 1, 0, 1, 1, false);
		c.constant(array, 1, 8, 3).constant(field, 1, "held", 2);
		for (int i = 1; i < 6; i++)
			c.constant(object, i, 4096 * i, 1, i == 2 ? "Thread Name: x" : null, i)
				.constant(reference, i, i % 2, 1 - i % 2, i + 1, i == 4 ? 30 : 0);
		return c.commit(c.event("jdk.OldObjectSample", false).key("object", object), 1, 0, 1).chunk(100);
	}

	/** Contexts that hold others, one of which never closes. */
	private static byte[] contexts() {
		Craft c = craft();
		Type span = c.event("Span", true).field("id", c.string(), c.annotation("Contextual"));
		Type point = c.event("Point", false);
		c.thread(1, "main", 1, false).thread(2, null, 2, true);
		c.commit(span, 10, 50, 1, "outer").commit(span, 20, 5, 1, "inner").commit(span, 15, Long.MAX_VALUE, 2, null);
		for (int i = 0; i < 60; i += 6)
			c.commit(point, i, i % 4);
		return c.chunk(100);
	}

	/** Units on values of every width. */
	private static byte[] units() {
		Craft c = craft();
		Type e = c.event("Units", true).field("ms", c.get("int"), c.annotation("Timespan", "MILLISECONDS"))
			.field("at", c.get("long"), c.annotation("Timestamp", "MILLISECONDS_SINCE_EPOCH"))
			.field("bytes", c.get("long"), c.annotation("DataAmount", "BYTES"), c.annotation("Frequency"))
			.field("load", c.get("float"), c.annotation("Percentage"))
			.field("address", c.get("long"), c.annotation("MemoryAddress"))
			.field("count", c.get("byte"), c.annotation("Unsigned"));
		c.commit(e, 1, 5, 0, -1, EPOCH / 1_000_000, 1L << 40, 0.25f, -1L, -1);
		return c.commit(e, Long.MIN_VALUE, Long.MAX_VALUE, 0, Integer.MIN_VALUE, Long.MIN_VALUE, Long.MAX_VALUE, Float.NaN, 0L, 0)
			.chunk(100);
	}

	/** A thread dump with the deadlock that the JVM found. */
	private static byte[] deadlock() {
		Craft c = craft();
		Type e = c.event("jdk.ThreadDump", false).field("result", c.string());
		String of = "\"a\":\n  waiting to lock monitor 0x1 (object 0x2, a app.A),\n  which is held by \"b\"\n";
		return c.commit(e, 1, 0, "Full thread dump\n\nFound one Java-level deadlock:\n=====\n" + of
			+ "\"b\":\n  waiting for ownable synchronizer 0x3, (a app.B),\n  which is held by \"a\"\n\n"
			+ "Java stack information for the threads listed above:\n=====\n"
			+ "\"a\":\n\tat app//app.A.a(A.java:3)\n\"b\":\n\tat app.B.b(B.java:4)\n\nFound 1 deadlock.\n").chunk(100);
	}

	private static byte[] join(byte[]... parts) {
		Bytes out = new Bytes();
		for (byte[] part : parts)
			out.writeBytes(part);
		return out.toByteArray();
	}

	/** A chunk whose JVM was killed: never finished, and more behind its last flush. */
	private static byte[] unfinished() {
		byte[] chunk = point();
		chunk[64] = 3;
		return join(chunk, new byte[] {20, 99, 1, 2});
	}

	/** A chunk, bytes of nobody, and a chunk of a format's version 1 with another clock. */
	private static byte[] gap() {
		byte[] second = strings();
		second[5] = 1;
		ByteBuffer.wrap(second).putLong(48, 77).putLong(56, 3_000_000_000L);
		return join(point(), "FLR\0 and garbage".getBytes(), second);
	}

	/** The header leads nowhere: types and constants have to be searched for. */
	private static byte[] astray() {
		byte[] chunk = stacks();
		ByteBuffer.wrap(chunk).putLong(16, 100).putLong(24, 101);
		return chunk;
	}

	private static byte[] gzip() throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (GZIPOutputStream packed = new GZIPOutputStream(out)) {
			packed.write(point());
		}
		return out.toByteArray();
	}

	/** A frame of one block that is not compressed, of 256 to 65791 bytes. */
	private static byte[] zstd() {
		byte[] bytes = point();
		ByteBuffer out = ByteBuffer.allocate(bytes.length + 10).order(ByteOrder.LITTLE_ENDIAN);
		out.putInt(0xfd2fb528).put((byte) 0x60).putShort((short) (bytes.length - 256));
		int block = bytes.length << 3 | 1;
		return out.put((byte) block).put((byte) (block >> 8)).put((byte) (block >> 16)).put(bytes).array();
	}

	public static void main(String[] args) throws IOException {
		Path to = Path.of(args[0]);
		Files.write(to.resolve("point.jfr"), point());
		Files.write(to.resolve("strings.jfr"), strings());
		Files.write(to.resolve("arrays.jfr"), arrays());
		Files.write(to.resolve("secrets.jfr"), secrets());
		Files.write(to.resolve("stacks.jfr"), stacks());
		Files.write(to.resolve("circles.jfr"), circles());
		Files.write(to.resolve("doubling.jfr"), doubling());
		Files.write(to.resolve("clique.jfr"), clique());
		Files.write(to.resolve("objects.jfr"), objects());
		Files.write(to.resolve("contexts.jfr"), contexts());
		Files.write(to.resolve("units.jfr"), units());
		Files.write(to.resolve("unfinished.jfr"), unfinished());
		Files.write(to.resolve("deadlock.jfr"), deadlock());
		Files.write(to.resolve("gap.jfr"), gap());
		Files.write(to.resolve("astray.jfr"), astray());
		Files.write(to.resolve("gzip.jfr"), gzip());
		Files.write(to.resolve("zstd.jfr"), zstd());
	}
}
