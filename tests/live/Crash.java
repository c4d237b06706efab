/* Reads where there is nothing, after so many seconds: the JVM crashes in a thread of Java. */
public class Crash {
	public static void main(String[] args) throws Exception {
		java.lang.reflect.Field f = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");

		f.setAccessible(true);
		System.out.println("ready");
		Thread.sleep(Long.parseLong(args[0]) * 1000);
		((sun.misc.Unsafe) f.get(null)).putLong(8L, 1);
	}
}
