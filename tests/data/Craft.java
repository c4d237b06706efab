/* SPDX-License-Identifier: MIT */
/*
 * Craft.java - writes recordings byte by byte
 *
 * A JVM decides itself when an event happens, what a field may hold and which
 * constant gets which key.  Where a test needs two events of one nanosecond, a
 * field name with a quote or a duration of 300 years, it is made here.
 * Made.java holds the recordings; this file knows the format.
 */
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The integers and strings of the format. */
final class Bytes extends ByteArrayOutputStream {
	Bytes varint(long v) {
		for (int i = 0; i < 8; i++, v >>>= 7) {
			if ((v & ~0x7fL) == 0) {
				write((int) v);
				return this;
			}
			write((int) (v & 0x7f) | 0x80);
		}
		write((int) v);
		return this;
	}

	Bytes big(long v, int width) {
		for (int i = width - 1; i >= 0; i--)
			write((int) (v >>> 8 * i));
		return this;
	}

	/** UTF-8, or UTF-16 units where UTF-8 has no form for the text. */
	Bytes string(String s) {
		if (s == null)
			return varint(0);
		if (s.isEmpty())
			return varint(1);
		byte[] utf8 = s.getBytes(StandardCharsets.UTF_8);
		if (new String(utf8, StandardCharsets.UTF_8).equals(s)) {
			varint(3).varint(utf8.length).writeBytes(utf8);
			return this;
		}
		varint(4).varint(s.length());
		for (char c : s.toCharArray())
			varint(c);
		return this;
	}

	/** body with its size in front, the size counting itself in four bytes. */
	Bytes sized(Bytes body) {
		int size = body.size() + 4;
		for (int i = 0; i < 3; i++, size >>>= 7)
			write(size & 0x7f | 0x80);
		write(size);
		writeBytes(body.toByteArray());
		return this;
	}
}

/** A node of the metadata tree. */
final class Element {
	final String name;
	final List<String> attributes = new ArrayList<>();
	final List<Element> children = new ArrayList<>();

	Element(String name, Object... attributes) {
		this.name = name;
		for (Object a : attributes)
			this.attributes.add(String.valueOf(a));
	}

	Element add(Element... more) {
		children.addAll(List.of(more));
		return this;
	}

	void write(Bytes out, Map<String, Integer> strings) {
		out.varint(index(strings, name)).varint(attributes.size() / 2);
		for (String a : attributes)
			out.varint(index(strings, a));
		out.varint(children.size());
		for (Element e : children)
			e.write(out, strings);
	}

	private static int index(Map<String, Integer> strings, String s) {
		return strings.computeIfAbsent(s, key -> strings.size());
	}
}

/** A class of the metadata: what it is called and how its values are written. */
final class Type {
	final String name;
	final int id;
	final List<Field> fields = new ArrayList<>();
	final Element element;

	record Field(String name, Type type, boolean pool, boolean array) {
	}

	Type(String name, int id, String superType) {
		this.name = name;
		this.id = id;
		element = new Element("class", "name", name, "id", id);
		if (superType != null)
			element.attributes.addAll(List.of("superType", superType));
	}

	/** A value of this type is its only field's value. */
	Type simple() {
		element.attributes.addAll(List.of("simpleType", "true"));
		return this;
	}

	Type annotate(Element... annotations) {
		element.add(annotations);
		return this;
	}

	Type field(String name, Type type, Element... annotations) {
		return field(new Field(name, type, false, false), annotations);
	}

	Type key(String name, Type type, Element... annotations) {
		return field(new Field(name, type, true, false), annotations);
	}

	Type array(String name, Type type, Element... annotations) {
		return field(new Field(name, type, false, true), annotations);
	}

	private Type field(Field f, Element... annotations) {
		Element e = new Element("field", "name", f.name, "class", f.type.id);
		if (f.array)
			e.attributes.addAll(List.of("dimension", "1"));
		if (f.pool)
			e.attributes.addAll(List.of("constantPool", "true"));
		fields.add(f);
		element.add(e.add(annotations));
		return this;
	}

	/** Writes values as this type's fields, nested arrays as nested structs. */
	void write(Bytes out, Object... values) {
		if (values.length != fields.size())
			throw new IllegalArgumentException(name + ": " + values.length + " values");
		for (int i = 0; i < values.length; i++) {
			Field f = fields.get(i);
			if (f.array) {
				Object[] elements = (Object[]) values[i];
				out.varint(elements.length);
				for (Object o : elements)
					f.type.writeOne(out, f.pool, o);
			} else {
				f.type.writeOne(out, f.pool, values[i]);
			}
		}
	}

	private void writeOne(Bytes out, boolean pool, Object v) {
		if (!pool && !fields.isEmpty()) {
			write(out, (Object[]) v);
			return;
		}
		switch (pool ? "key" : name) {
		case "boolean" -> out.write((Boolean) v ? 1 : 0);
		case "byte" -> out.write(((Number) v).intValue());
		case "char" -> out.varint((Character) v);
		case "short" -> out.varint(((Number) v).longValue() & 0xffff);
		case "int" -> out.varint(((Number) v).longValue() & 0xffffffffL);
		case "float" -> out.big(Float.floatToRawIntBits((Float) v), 4);
		case "double" -> out.big(Double.doubleToRawLongBits((Double) v), 8);
		case "java.lang.String" -> out.string((String) v);
		default -> out.varint(((Number) v).longValue());
		}
	}
}

/** One chunk with the types a thread and a stack trace need. */
final class Craft {
	private static final String ANNOTATION = "java.lang.annotation.Annotation";

	private final Map<String, Type> types = new LinkedHashMap<>();
	private final Map<Type, Map<Long, Object[]>> pools = new LinkedHashMap<>();
	private final Bytes events = new Bytes();
	private final Element region = new Element("region");
	private final long startNanos;
	private final long startTicks;
	private final long frequency;
	private final int metadataId;

	final Type thread;
	final Type group;
	final Type stackTrace;

	Craft(int metadataId, long startNanos, long startTicks, long frequency) {
		this.metadataId = metadataId;
		this.startNanos = startNanos;
		this.startTicks = startTicks;
		this.frequency = frequency;
		for (String s : "boolean byte char short int long float double java.lang.String".split(" "))
			type(s);
		for (String s : ("Label Description Category Name Timestamp Timespan DataAmount Frequency Percentage "
			+ "MemoryAddress Unsigned BooleanFlag Experimental ContentType Relational Contextual").split(" "))
			type("jdk.jfr." + s, ANNOTATION);
		/* The JDK asks an annotation only for members its type declares. */
		for (String s : "Label Description Name Timestamp Timespan DataAmount".split(" "))
			get("jdk.jfr." + s).field("value", string());
		get("jdk.jfr.Category").array("value", string());
		/* Only a marked annotation makes `jfr print` look at a unit. */
		for (String s : "Timestamp Timespan DataAmount Frequency Percentage MemoryAddress Unsigned BooleanFlag".split(" "))
			get("jdk.jfr." + s).annotate(annotation("ContentType"));
		group = type("jdk.types.ThreadGroup");
		group.key("parent", group).field("name", string());
		thread = type("java.lang.Thread").field("osName", string()).field("osThreadId", get("long"))
			.field("javaName", string()).field("javaThreadId", get("long")).key("group", group)
			.field("virtual", get("boolean"));
		Type symbol = type("jdk.types.Symbol").simple().field("string", string());
		Type loader = type("jdk.types.ClassLoader");
		Type klass = type("java.lang.Class").key("classLoader", loader).key("name", symbol)
			.field("modifiers", get("int")).field("hidden", get("boolean"));
		loader.key("type", klass).key("name", symbol);
		Type method = type("jdk.types.Method").key("type", klass).key("name", symbol).key("descriptor", symbol)
			.field("modifiers", get("int")).field("hidden", get("boolean"));
		Type frameType = type("jdk.types.FrameType").simple().field("description", string());
		Type frame = type("jdk.types.StackFrame").key("method", method).field("lineNumber", get("int"))
			.field("bytecodeIndex", get("int")).key("type", frameType);
		stackTrace = type("jdk.types.StackTrace").field("truncated", get("boolean")).array("frames", frame);
	}

	Type type(String name, String... superType) {
		Type t = new Type(name, 20 + types.size(), superType.length > 0 ? superType[0] : null);
		types.put(name, t);
		return t;
	}

	Type get(String name) {
		return types.get(name);
	}

	Type string() {
		return get("java.lang.String");
	}

	/** An event type; its own fields follow startTime, duration and thread. */
	Type event(String name, boolean duration) {
		Type t = type(name, "jdk.jfr.Event");
		t.field("startTime", get("long"), annotation("Label", "Start Time"), annotation("Timestamp", "TICKS"));
		if (duration)
			t.field("duration", get("long"), annotation("Label", "Duration"), annotation("Timespan", "TICKS"));
		return t.key("eventThread", thread, annotation("Label", "Event Thread"));
	}

	Element annotation(String name, String... values) {
		String member = name.equals("Category") ? "value-" : "value";
		Element e = new Element("annotation", "class", get("jdk.jfr." + name).id);
		for (int i = 0; i < values.length; i++)
			e.attributes.addAll(List.of(name.equals("Category") ? member + i : member, values[i]));
		return e;
	}

	/** A constant; the first is 1, and 0 stays nobody's. */
	Craft constant(Type t, long key, Object... values) {
		pools.computeIfAbsent(t, k -> new LinkedHashMap<>()).put(key, values);
		return this;
	}

	Craft thread(long key, String name, long id, boolean virtual) {
		return constant(thread, key, virtual ? null : name, virtual ? 0 : 1000 + id, name, id, 0, virtual);
	}

	Craft region(Object... attributes) {
		for (Object a : attributes)
			region.attributes.add(String.valueOf(a));
		return this;
	}

	/** Values of every field, in the order they were declared. */
	Craft commit(Type t, Object... values) {
		Bytes body = new Bytes().varint(t.id);
		t.write(body, values);
		events.sized(body);
		return this;
	}

	private Bytes checkpoint() {
		Bytes body = new Bytes().varint(1).varint(startTicks).varint(0).varint(0);
		body.write(1);
		body.varint(pools.size());
		pools.forEach((type, pool) -> {
			body.varint(type.id).varint(pool.size());
			pool.forEach((key, values) -> type.write(body.varint(key), values));
		});
		return new Bytes().sized(body);
	}

	private Bytes metadata() {
		Element all = new Element("metadata");
		for (Type t : types.values())
			all.add(t.element);
		Map<String, Integer> strings = new LinkedHashMap<>();
		Bytes tree = new Bytes();
		new Element("root").add(all, region).write(tree, strings);
		Bytes body = new Bytes().varint(0).varint(startTicks).varint(0).varint(metadataId).varint(strings.size());
		strings.keySet().forEach(body::string);
		body.writeBytes(tree.toByteArray());
		return new Bytes().sized(body);
	}

	byte[] chunk(long durationNanos) {
		Bytes checkpoint = checkpoint();
		Bytes metadata = metadata();
		long pools = 68 + events.size();
		Bytes out = new Bytes().big(0x464c5200, 4).big(2, 2).big(1, 2);
		out.big(pools + checkpoint.size() + metadata.size(), 8).big(pools, 8).big(pools + checkpoint.size(), 8);
		out.big(startNanos, 8).big(durationNanos, 8).big(startTicks, 8).big(frequency, 8).big(1, 4);
		out.writeBytes(events.toByteArray());
		out.writeBytes(checkpoint.toByteArray());
		out.writeBytes(metadata.toByteArray());
		return out.toByteArray();
	}
}
