/*
 * A program that does nothing for long enough, after saying that it is there. With an argument, so
 * many milliseconds pass from the wish that it ends to its end. One class, since it is copied.
 */
public class Idle extends Thread {
	private final long millis;

	Idle(long millis) {
		this.millis = millis;
	}

	@Override
	public void run() {
		try {
			Thread.sleep(millis);
		} catch (InterruptedException e) {
			// it ends at once
		}
	}

	public static void main(String[] arguments) throws Exception {
		if (arguments.length > 0)
			Runtime.getRuntime().addShutdownHook(new Idle(Long.parseLong(arguments[0])));
		System.out.println("ready");
		Thread.sleep(600000);
	}
}
