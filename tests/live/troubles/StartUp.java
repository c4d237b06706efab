import java.text.SimpleDateFormat;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;

// A program that only starts: it loads some thousand classes of the JDK, throws what is thrown
// then, and ends. No warning is to come of this.
public class StartUp {
	public static void main(String[] args) throws Exception {
		Logger.getLogger("start").fine("begin");
		List<String> names = IntStream.range(0, 200).mapToObj(i -> String.format("%05d-%x", i, i * 31))
				.filter(Pattern.compile("[0-9a-f-]+").asPredicate()).sorted().collect(Collectors.toList());
		try {
			ResourceBundle.getBundle("no.such.Bundle");
		} catch (java.util.MissingResourceException e) {
			names.add(e.getClassName());
		}
		DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument().createElement("x");
		java.security.MessageDigest.getInstance("SHA-256").digest(names.toString().getBytes());
		javax.crypto.Cipher.getInstance("AES/GCM/NoPadding");
		javax.net.ssl.SSLContext.getDefault().getSupportedSSLParameters();
		new SimpleDateFormat("yyyy-MM-dd").format(new Date(0));
		Object made = java.lang.reflect.Proxy.newProxyInstance(StartUp.class.getClassLoader(),
				new Class<?>[] { Runnable.class }, (p, m, a) -> null);
		((Runnable) made).run();
		System.out.println(CompletableFuture.supplyAsync(() -> Arrays.hashCode(names.toArray())).get());
		Thread.sleep(Integer.parseInt(args[0]) * 1000L);
	}
}
