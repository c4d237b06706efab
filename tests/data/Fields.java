/* SPDX-License-Identifier: MIT */
/*
 * Fields.java - events with every type of field, annotation and value
 *
 * Record.java says how they get into a recording.
 */
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Set;
import jdk.jfr.BooleanFlag;
import jdk.jfr.Category;
import jdk.jfr.ContentType;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Experimental;
import jdk.jfr.Frequency;
import jdk.jfr.Label;
import jdk.jfr.MemoryAddress;
import jdk.jfr.MetadataDefinition;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.Relational;
import jdk.jfr.SettingControl;
import jdk.jfr.SettingDefinition;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;
import jdk.jfr.TransitionFrom;
import jdk.jfr.TransitionTo;
import jdk.jfr.Unsigned;

/** An event of the unnamed package, without any annotation. */
class Bare extends Event {
	int value;
}

final class Fields {
	@MetadataDefinition
	@ContentType
	@Name("rec.Colour")
	@Label("Colour")
	@Description("A user's content type with two members")
	@Retention(RetentionPolicy.RUNTIME)
	@Target(ElementType.FIELD)
	@interface Colour {
		String space() default "RGB";
		int depth() default 8;
		String[] names() default {"red", "green"};
	}

	@MetadataDefinition
	@Relational
	@Name("rec.OrderId")
	@Label("Order")
	@Retention(RetentionPolicy.RUNTIME)
	@Target(ElementType.FIELD)
	@interface OrderId {
	}

	@MetadataDefinition
	@Retention(RetentionPolicy.RUNTIME)
	@Target({ElementType.TYPE, ElementType.FIELD})
	@interface Owner {
		String value();
		long since() default Long.MIN_VALUE;
		boolean on() default true;
		char mark() default 'x';
		byte tiny() default -1;
		short small() default -2;
		float ratio() default 0.1f;
		double exact() default 1e-10;
	}

	/* ---- plain values ---- */

	@Name("rec.Plain")
	@Label("Plain Values")
	@Description("One field of each type, with \"quotes\", a back\\slash\nand a second line: caf\u00e9 \u4e2d")
	@Category({"Recorded", "Values", "Plain \u00e9"})
	@Owner("everyone")
	static class Plain extends Event {
		@Label("Truth \u00e9") @BooleanFlag boolean truth;
		byte b;
		char c;
		short s;
		int i;
		long l;
		float f;
		double d;
		String text;
		Class<?> type;
		Thread thread;
		@Owner(value = "field", since = 7) int gr\u00f6\u00dfe;
		transient int unseen;
		static int shared;
	}

	private static final boolean[] TRUTHS = {false, true};
	private static final byte[] BYTES = {0, 1, -1, Byte.MIN_VALUE, Byte.MAX_VALUE, 100};
	private static final char[] CHARS = {'A', '~', '"', '\\', '/', '<', '&', '\'', '>', '\u007f', '\u0080', '\u00e9', '\u0416', '\u4e2d', '\uffff'};
	private static final short[] SHORTS = {0, 1, -1, Short.MIN_VALUE, Short.MAX_VALUE, 1000};
	private static final int[] INTS = {0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1000000, Integer.MIN_VALUE + 1};
	private static final long[] LONGS = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 53, Long.MIN_VALUE + 1};
	private static final float[] FLOATS = {
		0, -0.0f, 1, -1, 0.1f, 1e-3f, 9.999e-4f, 1e7f, 9999999, 123456.79f, 16777216, 3.4e38f, Float.MAX_VALUE, Float.MIN_NORMAL,
		Float.MIN_VALUE, 1.17549421e-38f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 2e-45f, 8.41e21f, 1.0e10f, 3.3554432e7f,
	};
	private static final double[] DOUBLES = {
		0, -0.0, 1, -1, 0.1, 1e-3, 9.999e-4, 1e7, 9999999, 123456.789012345, 9007199254740993.0, 2e23, Double.MAX_VALUE, Double.MIN_NORMAL,
		Double.MIN_VALUE, 2.2250738585072011e-308, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e23, 2.0e-3, 1.0e-5, 4.35,
		8.41e21, 5e-324, 9.8e-324, 1.7976931348623155e308, 0.3, 100.0 / 3,
	};
	private static final String[] STRINGS = {
		null, "", "a", "sixteen letters.", "seventeen letters", "quote \" backslash \\ slash / apostrophe ' <tag> &amp; ]]>",
		"tab \t newline \n return \r end", "Latin-1 \u00e9\u00fc\u00ff\u00a0", "Latin-1 in the pool: \u00e9\u00fc\u00ff\u00a0",
		"Greek \u03b1\u03b2\u03b3", "Chinese in the pool: \u4e2d\u6587\u5b57\u7b26", "bidi \u202e mark \ufeff line \u2028 last \uffff",
		"\u007f delete", "%s %d %n ${x} `x` $(x)", "a string in the pool that comes more than once",
	};
	private static final Class<?>[] CLASSES = {
		null, int.class, int[].class, int[][][].class, boolean[].class, byte[].class, char[].class, short[].class, long[].class, float[].class, double[].class,
		void.class, String.class, String[].class, Thread.State.class, java.util.Map.Entry[][].class, Fields.class, Plain[].class, Runnable.class, Colour.class,
	};

	static void plain(Runnable lambda, Class<?>... more) {
		for (int i = 0; i < DOUBLES.length; i++) {
			Plain e = new Plain();
			e.truth = TRUTHS[i % TRUTHS.length];
			e.b = BYTES[i % BYTES.length];
			e.c = CHARS[i % CHARS.length];
			e.s = SHORTS[i % SHORTS.length];
			e.i = INTS[i % INTS.length];
			e.l = LONGS[i % LONGS.length];
			e.f = FLOATS[i % FLOATS.length];
			e.d = DOUBLES[i];
			e.text = STRINGS[i % STRINGS.length];
			e.type = i < CLASSES.length ? CLASSES[i] : i - CLASSES.length < more.length ? more[i - CLASSES.length] : lambda.getClass();
			e.thread = i % 3 == 0 ? null : Thread.currentThread();
			e.gr\u00f6\u00dfe = i;
			e.commit();
		}
		new Bare().commit();
	}

	/* ---- units ---- */

	@Name("rec.Times")
	@Label("Times")
	@Category({"Recorded", "Values"})
	@StackTrace(false)
	static class Times extends Event {
		@Label("Raw") long raw;
		@Timespan long nanos;
		@Timespan(Timespan.MICROSECONDS) long micros;
		@Timespan(Timespan.MILLISECONDS) long millis;
		@Timespan(Timespan.SECONDS) long seconds;
		@Timespan(Timespan.TICKS) long ticks;
		@Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH) long epoch;
		@Timestamp(Timestamp.TICKS) long at;
		@Timespan(Timespan.MILLISECONDS) @Unsigned long unsignedMillis;
	}

	private static final long[] SPANS = {
		0, 1, 9, 10, 99, 100, 999, 1000, 1001, 1005, 9994, 9995, 9999, 10_000, 12_345, 99_949, 99_950, 99_999, 100_000, 123_456, 994_999, 995_000,
		999_499, 999_500, 999_999, 1_000_000, 1_234_567, 9_994_999, 9_995_000, 12_345_678, 99_949_999, 99_950_000, 123_456_789, 999_499_999, 999_500_000,
		999_999_999, 1_000_000_000, 1_004_999_999, 1_005_000_000, 1_994_900_000, 1_995_000_000, 9_994_000_000L, 9_995_000_000L, 12_350_000_000L,
		59_949_000_000L, 59_950_000_000L, 59_999_999_999L, 60_000_000_000L, 61_500_000_000L, 3_599_499_999_999L, 3_599_500_000_000L, 3_600_000_000_000L,
		86_369_999_999_999L, 86_370_000_000_000L, 86_400_000_000_000L, 88_199_999_999_999L, 88_200_000_000_000L, 1_234_567_890_123_456L,
		Long.MAX_VALUE - 1, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, -999, -1500, -999_500, -59_950_000_000L, -3_600_000_000_000L,
	};

	/** Of the wide units only what fits 2^63 ns: the JDK cannot print more with --exact. */
	private static long limit(long span, long most) {
		return span == Long.MIN_VALUE || span == Long.MAX_VALUE ? span : span % most;
	}

	static void times() {
		for (long span : SPANS) {
			Times e = new Times();
			e.raw = span;
			e.nanos = e.ticks = span;
			e.micros = limit(span, 9_000_000_000_000_000L);
			e.millis = e.unsignedMillis = limit(span, 9_000_000_000_000L);
			e.seconds = limit(span, 9_000_000_000L);
			e.epoch = e.at = span;
			e.commit();
		}
	}

	@Name("rec.Amounts")
	@Label("Amounts")
	@Category({"Recorded", "Values"})
	@StackTrace(false)
	@Experimental
	static class Amounts extends Event {
		@Label("Raw") long raw;
		@DataAmount long bytes;
		@DataAmount(DataAmount.BITS) long bits;
		@DataAmount @Frequency long byteRate;
		@DataAmount(DataAmount.BITS) @Frequency long bitRate;
		@DataAmount int intBytes;
		@DataAmount float floatBytes;
		@DataAmount double doubleBytes;
		@Frequency long hertz;
		@Frequency double doubleHertz;
		@Percentage float share;
		@Percentage double exactShare;
		@MemoryAddress long address;
		@MemoryAddress int intAddress;
		@Unsigned byte ub;
		@Unsigned short us;
		@Unsigned int ui;
		@Unsigned long ul;
		@Unsigned @DataAmount long unsignedBytes;
		@Colour(space = "CMYK", depth = 16, names = {"cyan", "magenta", "yellow"}) int colour;
		@OrderId long order;
		@Experimental int trial;
	}

	private static final long[] COUNTS = {
		0, 1, -1, 2, 100, 127, 128, 255, 256, 1000, 1023, 1024, 1025, -1023, -1024, -1025, 1075, 1076, 1536, 10239, 10240, 32767, 32768, 65535, 65536, 102400,
		1048524, 1048525, 1048575, 1048576, 1073741823, 1073741824, 2147483647L, 2147483648L, 4294967295L, 4294967296L, (1L << 40) - 1, 1L << 40,
		(1L << 50) - 8, (1L << 50) - 1, 1L << 50, (1L << 60) - 1024, (1L << 60) - 1, 1L << 60, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1,
	};
	private static final double[] SHARES = {
		0, 1, -1, 0.5, 0.00125, 0.00015, 0.01005, 0.02675, 0.123456789, 0.999949999, 0.99995, 1e-9, 1e-12, 12.345, 1e10, Double.MAX_VALUE / 1e4,
		Double.MIN_VALUE, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 0.1 + 0.2, 1.0 / 3,
	};

	static void amounts() {
		for (int i = 0; i < COUNTS.length; i++) {
			long n = COUNTS[i];
			double share = SHARES[i % SHARES.length];
			Amounts e = new Amounts();
			e.raw = e.bytes = e.bits = e.byteRate = e.bitRate = e.hertz = e.address = e.ul = e.unsignedBytes = e.order = n;
			e.intBytes = e.intAddress = e.ui = e.colour = e.trial = (int) n;
			e.floatBytes = n * 1.5f;
			e.doubleBytes = n / 3.0;
			e.doubleHertz = n / 7.0;
			e.share = (float) share;
			e.exactShare = share;
			e.ub = (byte) n;
			e.us = (short) n;
			e.commit();
		}
	}

	/* ---- durations, threads, settings ---- */

	@Name("rec.Span")
	@Label("Span")
	static class Span extends Event {
		@TransitionFrom Thread from;
		@TransitionTo Thread to;
	}

	static final class Limit extends SettingControl {
		private String value = "1";

		@Override
		public String combine(Set<String> values) {
			return values.isEmpty() ? "1" : values.iterator().next();
		}

		@Override
		public void setValue(String value) {
			this.value = value;
		}

		@Override
		public String getValue() {
			return value;
		}
	}

	@Name("rec.Limited")
	@Label("Limited")
	@Description("An event with a setting of its own")
	@Category("Recorded")
	static class Limited extends Event {
		int n;

		@SettingDefinition
		@Name("limit")
		@Label("Limit \u00e9")
		@Description("Only larger numbers")
		boolean limit(Limit control) {
			return n > Integer.parseInt(control.getValue());
		}
	}

	static void spans() throws InterruptedException {
		for (int millis : new int[] {0, 1, 12}) {
			Span e = new Span();
			e.begin();
			Thread.sleep(millis);
			e.end();
			e.from = Thread.currentThread();
			e.commit();
		}
		/* Neither begun nor ended: no duration. */
		new Span().commit();
		for (int n = 0; n < 4; n++) {
			Limited e = new Limited();
			e.n = n;
			e.commit();
		}
	}

	/* ---- text the output formats cannot all hold ---- */

	@Name("rec.Text")
	@Label("Text \ud83d\ude00")
	@Description("Control \u0001\u001b and \u007f, unpaired \ud800 and \udc00")
	@Category({"Recorded", "Text \ud83d\ude00"})
	@StackTrace(false)
	static class Text extends Event {
		String text;
		char unit;
	}

	static void texts() {
		StringBuilder controls = new StringBuilder("every control character in the pool: ");
		for (char c = 0; c < 0xa0; c++)
			if (c < ' ' || c > '~')
				controls.append(c).append('.');
		String[] all = {
			"emoji \ud83d\ude00", "emoji in the pool: \ud83d\ude00\ud83d\udc69\u200d\ud83d\udcbb", "high \ud800 alone", "low \udc00 alone",
			"swapped \udc00\ud800 pair", "high at the end \ud83d", "\ude00 low at the start, in the pool", "last \udbff\udfff",
			"nul \0 inside", "escape \u001b[31m red", "\b\f\u000b\u0001\u001f", controls.toString(), "x".repeat(3000), "\u00e9\u4e2d".repeat(500),
		};
		char[] units = {'\0', '\1', '\t', '\n', '\r', '\u001b', '\u001f', '\u007f', '\u0085', '\ud800', '\udbff', '\udc00', '\udfff', '\ufffe'};
		for (int i = 0; i < all.length; i++) {
			Text e = new Text();
			e.text = all[i];
			e.unit = units[i];
			e.commit();
		}
	}

	private Fields() {
	}
}
