/* A program that does nothing for long enough, after saying that it is there. */
public class Idle {
	public static void main(String[] arguments) throws Exception {
		System.out.println("ready");
		Thread.sleep(600000);
	}
}
