package acme.probe;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;

/** An agent that transforms the classes of the program again each 100 ms. */
public class Probe {
	public static void premain(String args, Instrumentation instrumentation) {
		instrumentation.addTransformer(new ClassFileTransformer() {}, true);
		Thread probe = new Thread(() -> transform(instrumentation), "probe");
		probe.setDaemon(true);
		probe.start();
	}

	private static void transform(Instrumentation instrumentation) {
		try {
			for (;;) {
				Thread.sleep(100);
				for (Class<?> c : instrumentation.getAllLoadedClasses())
					if (c.getName().startsWith("acme.") && instrumentation.isModifiableClass(c))
						instrumentation.retransformClasses(c);
			}
		} catch (Exception e) {
			System.out.println(e);
		}
	}
}
