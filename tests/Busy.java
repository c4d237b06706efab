import java.util.ArrayList;
import java.util.List;

/* A program for tests/bench/cost.sh: it allocates, sorts and sleeps for some minutes. */
public class Busy {
	static List<String> work(int round)
	{
		List<String> words = new ArrayList<>();

		for (int i = 0; i < 20000; i++)
			words.add(Integer.toHexString(i * 31 + round));
		words.sort(null);
		return words;
	}

	public static void main(String[] arguments) throws Exception
	{
		System.out.println("ready");
		for (int round = 0; round < 6000; round++) {
			work(round);
			Thread.sleep(30);
		}
	}
}
