/* SPDX-License-Identifier: MIT */
/*
 * Made.java - the recordings of tests/data/ok that no JVM makes
 *
 *    java Made DIRECTORY
 *
 *    order     events that end in the same nanosecond, contexts among them
 *    values    each annotation on each type of field, arrays, structs, years
 *    names     types, fields, labels and threads with odd names
 *
 * Craft.java knows the format.
 */
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

public final class Made {
	private static final long EPOCH = 1_700_000_000_000_000_000L;

	/*
	 * Few nanoseconds and three ticks in each, so that most events end
	 * together with others; contexts of length zero and below; events of no
	 * thread.  The second chunk's contexts began in the first.
	 */
	private static byte[] order() {
		Random random = new Random(11);
		Bytes out = new Bytes();
		int serial = 0;
		for (int chunk = 0; chunk < 2; chunk++) {
			Craft c = new Craft(1, EPOCH + chunk * 30, chunk * 90, 3_000_000_000L).region("gmtOffset", 3600000, "dst", 3600000);
			Type outer = c.event("made.Outer", true).field("serial", c.get("int"))
				.field("id", c.string(), c.annotation("Contextual"));
			Type inner = c.event("made.Inner", true).field("serial", c.get("int"))
				.field("name", c.string(), c.annotation("Contextual"))
				.field("size", c.get("long"), c.annotation("DataAmount", "BYTES"), c.annotation("Contextual"));
			Type instant = c.event("Mark", false).field("serial", c.get("int"))
				.field("mark", c.get("char"), c.annotation("Contextual"));
			Type spanning = c.event("made.Spanning", true).annotate(c.annotation("Category", "Made", "Spanning Kind"))
				.field("serial", c.get("int"));
			Type point = c.event("made.Point", false).annotate(c.annotation("Category", "Made"))
				.field("serial", c.get("int"));
			c.thread(1, "one", 1, false).thread(2, "two", 2, true);
			c.constant(c.thread, 3, "native", 33, null, 0, 0, false);
			for (int i = 0; i < 120; i++, serial++) {
				int at = chunk * 90 + random.nextInt(60) - 10 * chunk;
				int length = random.nextInt(30) - 2;
				int thread = random.nextInt(4);
				switch (random.nextInt(10)) {
				case 0 -> c.commit(outer, at, length, thread, serial, serial % 5 == 0 ? null : "o" + serial);
				case 1 -> c.commit(inner, at, length, thread, serial, "i" + serial, (long) serial << serial % 40);
				case 2 -> c.commit(instant, at, thread, serial, (char) ('a' + serial % 26));
				case 3, 4, 5 -> c.commit(spanning, at, length / 3, thread, serial);
				default -> c.commit(point, at, thread, serial);
				}
			}
			out.writeBytes(c.chunk(30));
		}
		return out.toByteArray();
	}

	/* ---- values ---- */

	private static final String[][] UNITS = {
		{"Timespan TICKS"}, {"Timespan NANOSECONDS"}, {"Timespan MICROSECONDS"}, {"Timespan MILLISECONDS"}, {"Timespan SECONDS"}, {"Timestamp TICKS"},
		{"Timestamp MILLISECONDS_SINCE_EPOCH"}, {"DataAmount BYTES"}, {"DataAmount BITS"}, {"DataAmount NIBBLES"}, {"DataAmount BYTES", "Frequency"},
		{"DataAmount BITS", "Frequency"}, {"Frequency"}, {"Percentage"}, {"MemoryAddress"}, {"BooleanFlag"}, {"Unsigned"},
		{"Unsigned", "Timespan MILLISECONDS"}, {"Unsigned", "Timestamp TICKS"}, {"Unsigned", "DataAmount BYTES"}, {"Unsigned", "MemoryAddress"},
		{"Unsigned", "Percentage"}, {"Experimental", "Frequency"},
	};

	private static Object[] samples(String type) {
		return switch (type) {
		case "boolean" -> new Object[] {true, false, true};
		case "byte" -> new Object[] {5, -3, Byte.MIN_VALUE};
		case "char" -> new Object[] {'A', '\u00e9', '\u4e2d'};
		case "short" -> new Object[] {5, -3, Short.MIN_VALUE};
		case "int" -> new Object[] {5, -3, Integer.MIN_VALUE};
		case "long" -> new Object[] {5, -3, Long.MIN_VALUE};
		case "float" -> new Object[] {7.5f, -4.5f, Float.NaN};
		case "double" -> new Object[] {1e-7, -2.5e10, Double.NEGATIVE_INFINITY};
		default -> new Object[] {"text", "", null};
		};
	}

	/* The JDK gives up on a time that is no integer. */
	private static boolean timed(String type) {
		return "byte char short int long".contains(type);
	}

	private static void units(Craft c, String type) {
		Type e = c.event("val.Of_" + type.substring(type.lastIndexOf('.') + 1), false);
		int n = 0;
		for (String[] units : UNITS) {
			if (String.join(" ", units).contains("Time") && !timed(type))
				continue;
			List<Element> annotations = new ArrayList<>();
			for (String unit : units) {
				int space = unit.indexOf(' ');
				annotations.add(space < 0 ? c.annotation(unit) : c.annotation(unit.substring(0, space), unit.substring(space + 1)));
			}
			e.field(String.join("_", units).replace(' ', '_'), c.get(type), annotations.toArray(new Element[0]));
			n++;
		}
		for (int i = 0; i < 3; i++) {
			Object[] values = new Object[n + 2];
			values[0] = 1000 + i;
			values[1] = 1;
			for (int k = 0; k < n; k++)
				values[k + 2] = samples(type)[i];
			c.commit(e, values);
		}
	}

	private static void constants(Craft c) {
		Type symbol = c.get("jdk.types.Symbol");
		Type loader = c.get("jdk.types.ClassLoader");
		Type klass = c.get("java.lang.Class");
		Type method = c.get("jdk.types.Method");
		String[] symbols = {
			"bootstrap", "java/lang/Object", "a/b/C$D", "[[J", "[La/b/C$D;", "a/b/Loader", "loader \u00e9", "run", "()V",
			"(ZBCSIJFD[Z[[[JLa/b/C$D;[[La/b/C$D;LNoPackage;)La/b/C;", "lambda$x$0", "", "Top",
		};
		for (int i = 0; i < symbols.length; i++)
			c.constant(symbol, i + 1, symbols[i]);
		c.constant(loader, 1, 0, 1).constant(loader, 2, 6, 7).constant(loader, 3, 6, 0);
		int[][] classes = {{1, 2}, {2, 3}, {0, 4}, {3, 5}, {2, 13}, {1, 6}, {99, 12}};
		for (int i = 0; i < classes.length; i++)
			c.constant(klass, i + 1, classes[i][0], classes[i][1], i, i == 3);
		c.constant(method, 1, 1, 8, 9, 1, false).constant(method, 2, 2, 8, 10, 9, false).constant(method, 3, 5, 11, 9, 0, true)
			.constant(method, 4, 2, 12, 9, 0, false);
		String[] kinds = {"Interpreted", "JIT compiled", "Inlined", "Native", "C++"};
		for (int i = 0; i < kinds.length; i++)
			c.constant(c.get("jdk.types.FrameType"), i, kinds[i]);
		c.constant(c.group, 1, 0, "system").constant(c.group, 2, 1, "").constant(c.group, 3, 2, null);
		c.thread(1, "main", 1, false);
		c.constant(c.thread, 2, "os", 22, null, 0, 3, false).constant(c.thread, 3, null, 0, "", 3, 2, true)
			.constant(c.thread, 4, "os", 44, null, 4, 1, false).constant(c.thread, 5, null, -1, null, -1, 0, false);
	}

	/* Frames with line numbers of every kind; hidden ones at each end. */
	private static Object[] frames(int count) {
		Object[][] all = {
			{3, 1, 0, 1}, {1, 10, 4, 0}, {2, -1, 0, 2}, {2, 0, 0, 3}, {3, 5, 0, 1}, {1, 65535, 1, 1}, {4, 7, 7, 2}, {1, 8, 0, 9}, {3, 1, 0, 0},
		};
		Object[] frames = new Object[count];
		for (int i = 0; i < count; i++)
			frames[i] = all[i % all.length];
		return frames;
	}

	private static byte[] values() {
		Craft c = new Craft(1, EPOCH, 1000, 24_000_000L).region("locale", "en_IN", "gmtOffset", -12_600_000, "dst", 0);
		constants(c);
		for (String type : "boolean byte char short int long float double java.lang.String".split(" "))
			units(c, type);

		Type years = c.event("val.Years", true).field("at", c.get("long"), c.annotation("Timestamp", "MILLISECONDS_SINCE_EPOCH"))
			.field("ticks", c.get("long"), c.annotation("Timestamp", "TICKS"))
			.field("span", c.get("long"), c.annotation("Timespan", "SECONDS"));
		for (long at : new long[] {0, -1, 12_600_000, -62_135_596_800_000L, -62_167_219_200_001L, 253_402_300_799_999L, 253_402_313_400_000L, Long.MAX_VALUE,
			Long.MIN_VALUE, Long.MIN_VALUE + 1, 1_709_164_800_000L, 951_782_400_000L, 4_107_542_400_000L})
			c.commit(years, 2000, 24, 1, at, at, at % 9_000_000_000L);
		for (long span : new long[] {Long.MAX_VALUE, Long.MIN_VALUE, 9_223_372_036L, -9_223_372_036L})
			c.commit(years, 3000, span == Long.MIN_VALUE ? -7 : 0, 1, 0, 0, span);

		Type refs = c.event("val.References", false).key("klass", c.get("java.lang.Class")).key("loader", c.get("jdk.types.ClassLoader"))
			.key("method", c.get("jdk.types.Method")).key("symbol", c.get("jdk.types.Symbol")).key("group", c.group).key("thread", c.thread)
			.key("frameType", c.get("jdk.types.FrameType"));
		for (int key = 0; key < 10; key++)
			c.commit(refs, 4000 + key, key % 6, key, key % 4, key % 5, key, key % 5, (key + 2) % 6, key);

		Type stacks = c.event("val.Stack", false).key("stackTrace", c.stackTrace).field("frames", c.get("int"));
		for (int count = 0; count < 14; count++) {
			c.constant(c.stackTrace, count + 1, count % 3 == 1, frames(count));
			c.commit(stacks, 5000 + count, 1, count + 1, count);
		}
		c.commit(stacks, 5100, 1, 0, -1).commit(stacks, 5101, 1, 77, -1);

		Type point = c.type("val.types.Point").field("x", c.get("int")).field("y", c.get("double"), c.annotation("Percentage"));
		Type line = c.type("val.types.Line").field("from", point).field("to", point).field("name", c.string()).key("owner", c.thread);
		Type structs = c.event("val.Structs", true).field("line", line).field("empty", c.type("val.types.Nothing"));
		structs.fields.remove(structs.fields.size() - 1);
		structs.element.children.remove(structs.element.children.size() - 1);
		c.commit(structs, 6000, 0, 2, new Object[] {new Object[] {1, 0.5}, new Object[] {-1, Double.NaN}, "name", 3});

		/* As text JDK 25 prints no array of these; as JSON and XML it does. */
		Type arrays = c.event("arr.Numbers", false).array("ints", c.get("int")).array("longs", c.get("long"))
			.array("bytes", c.get("byte")).array("doubles", c.get("double")).array("strings", c.string()).array("flags", c.get("boolean"))
			.array("points", point);
		c.commit(arrays, 8000, 1, new Object[] {1, -2}, new Object[] {Long.MIN_VALUE}, new Object[0], new Object[] {0.1, Double.NaN},
			new Object[] {"a", null, "", "\u00e9\"<"}, new Object[] {true, false}, new Object[] {new Object[] {1, 2.0}, new Object[] {3, 4.0}});
		return c.chunk(400_000);
	}

	/* ---- names ---- */

	private static byte[] names() {
		Craft c = new Craft(1, EPOCH, 0, 1_000_000_000L).region("gmtOffset", 20_700_000);
		Type odd = c.event("made.\u00c9v\u00e9nement$1", true).annotate(
			c.annotation("Label", "say \"hi\"\nnext line \\ back \u00e9\u4e2d tab\tend"), c.annotation("Description", "it's <b>&amp;</b> \r end"),
			c.annotation("Category", "Cat \"q\"", "C\u00e4t\n2", "\\"), c.annotation("Name", "made.Other"), c.annotation("Experimental"));
		odd.field("\u00e9", c.string(), c.annotation("Label", "\u00e9 \"x\""), c.annotation("Contextual"));
		for (String name : new String[] {"\u4e2d\u6587", "with space", "q\"uo<te>&'", "new\nline", "tab\t", "back\\slash/", ""})
			odd.field(name, c.get("int"));
		c.constant(c.group, 1, 0, "group \"q\" \\ \u00e9 \n <&>");
		c.constant(c.thread, 1, "os", 1, "thread \"q\" \\ \u00e9\u4e2d \n \t <&>'", 1, 1, false);
		c.constant(c.thread, 2, "os \"q\" \\ \u00e9 \n", 2, null, 0, 1, false);
		Type plain = c.event("NoPackage", false).annotate(c.annotation("Category", "Cat \"q\"")).field("d", c.get("double"));
		Type one = c.event("made.one.Two", false).annotate(c.annotation("Category", "My Own Kind")).field("b", c.get("byte"));
		Type settings = c.type("made.settings.Own", "jdk.jfr.SettingControl").annotate(c.annotation("Label", "Own \"setting\""));
		odd.element.add(new Element("setting", "name", "own", "class", settings.id, "defaultValue", "x \"y\""));
		c.commit(odd, 10, 50, 1, "v \"q\"", 1, 2, 3, 4, 5, 6, 7);
		c.commit(plain, 20, 1, 0.1).commit(plain, 21, 2, 1e300).commit(one, 22, 1, -1).commit(one, 70, 1, 2);
		return c.chunk(100);
	}

	public static void main(String[] args) throws IOException {
		Path directory = Path.of(args[0]);
		Files.write(directory.resolve("made-order.jfr"), order());
		Files.write(directory.resolve("made-values.jfr"), values());
		Files.write(directory.resolve("made-names.jfr"), names());
	}

	private Made() {
	}
}
