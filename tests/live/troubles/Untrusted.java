import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.security.Security;
import java.security.cert.CertificateFactory;
import java.util.HashMap;

// Deserialization without a filter, a security property changed at run time, a weak
// certificate (given as a file), deprecated calls and a child process.
public class Untrusted {
	@SuppressWarnings({"removal", "deprecation"})
	public static void main(String[] args) throws Exception {
		HashMap<String, Integer> map = new HashMap<>();
		for (int i = 0; i < 100; i++)
			map.put("k" + i, new Integer(i));
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (ObjectOutputStream o = new ObjectOutputStream(out)) {
			o.writeObject(map);
		}
		for (int i = 0; i < 200; i++)
			try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(out.toByteArray()))) {
				in.readObject();
			}
		Security.setProperty("jdk.tls.disabledAlgorithms", "");
		for (String file : args)
			try (java.io.FileInputStream in = new java.io.FileInputStream(file)) {
				System.out.println(CertificateFactory.getInstance("X.509").generateCertificate(in).getType());
			}
		System.runFinalization(); // deprecated for removal
		new ProcessBuilder("true").start().waitFor();
		Thread.sleep(1500);
	}
}
