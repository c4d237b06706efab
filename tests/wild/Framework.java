package acme.framework;

import acme.Run;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/** Handlers that are called as frameworks call them: by reflection, a handle, a proxy. They do the work. */
public class Framework {
	@Retention(RetentionPolicy.RUNTIME)
	@interface Path {
		String value();
	}

	public static class Handlers {
		@Path("/score")
		public long score(long customer) {
			long score = customer;
			for (int i = 0; i < 40_000; i++)
				score = score * 31 + (score >>> 11) % 17;
			return score;
		}

		@Path("/risk")
		public long risk(long customer) {
			double risk = customer;
			for (int i = 1; i < 30_000; i++)
				risk += Math.sqrt(i) / (risk + i);
			return (long) risk;
		}
	}

	private final Map<String, Method> routes = new HashMap<>();
	private final Handlers handlers = new Handlers();

	Framework() {
		for (Method method : Handlers.class.getMethods()) {
			Path path = method.getAnnotation(Path.class);
			if (path != null)
				routes.put(path.value(), method);
		}
	}

	long dispatch(String path, long customer) throws Exception {
		return (Long) routes.get(path).invoke(handlers, customer);
	}

	private static MethodHandle handle() throws Exception {
		return MethodHandles.lookup().findVirtual(Handlers.class, "score", MethodType.methodType(long.class, long.class));
	}

	private LongUnaryOperator proxy() {
		return (LongUnaryOperator) Proxy.newProxyInstance(Framework.class.getClassLoader(), new Class<?>[] {LongUnaryOperator.class},
			(self, method, args) -> handlers.risk((Long) args[0]));
	}

	public static void main(String[] args) throws Exception {
		Framework framework = new Framework();
		MethodHandle handle = handle();
		LongUnaryOperator proxy = framework.proxy();
		Run.Step step;
		switch (args[0]) {
		case "invoke":
			step = () -> Run.sink += framework.dispatch("/score", 7) + framework.dispatch("/risk", 9);
			break;
		case "handle":
			step = () -> {
				try {
					Run.sink += (long) handle.invokeExact(framework.handlers, 7L);
				} catch (Throwable e) {
					throw new IllegalStateException(e);
				}
			};
			break;
		default:
			step = () -> Run.sink += proxy.applyAsLong(7);
		}
		int pause = Integer.parseInt(args[1]);
		Run.threads("http-exec-", 3, () -> {
			step.run();
			Run.pause(pause);
		});
		Run.ready();
	}
}
