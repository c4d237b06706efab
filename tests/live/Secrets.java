/* SPDX-License-Identifier: MIT */
/*
 * Secrets.java - plants secrets wherever a recording can have texts
 *
 * usage: java Secrets env            lines of NAME=VALUE for the environment
 *        java Secrets properties     lines of -DNAME=VALUE
 *        java Secrets arguments      lines, one for each argument
 *        java Secrets list           lines of KIND and what must be in no output
 *        java Secrets DIRECTORY ...  plant the others, with files in the directory
 */
import java.io.File;
import java.io.FileOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

public class Secrets {
	@Name("app.Login")
	static class Login extends Event {
		String user, password;
		@Label("API key")
		String code;
		String note;
	}

	@Name("app.Note") @Description("connects with password=Pw900xMetadata77")
	static class Note extends Event {
		String text;
	}

	@Name("app.Setting")
	static class Setting extends Event {
		String name, value;
	}

	/* PLACE, KIND, TEXT with %s where the secret is. */
	static final String[][] PLANTED = {
		{ "env", "name of a variable", "DB_PASSWORD=%s" },
		{ "env", "variable without a word", "PLAIN_SETTING=%s" },
		{ "env", "url in a variable", "DATABASE_URL=postgres://me:%s@db.example.com/x" },
		{ "env", "json in a variable", "APP_JSON={\"apiKey\":\"%s\"}" },
		{ "env", "short name", "DB_PASS=%s" },
		{ "env", "options of a JVM", "JDK_JAVA_OPTIONS=-Dhidden.token=%s" },
		{ "env", "key id and key", "AWS_PAIR=AKIAIOSFODNN7EXAMPLE %s/wJalrXUtnFEMI/K7MDENG/bPxRfi" },
		{ "properties", "name of a property", "db.password=%s" },
		{ "properties", "property without a word", "app.something=%s" },
		{ "properties", "naming credentials", "java.naming.security.credentials=%s" },
		{ "properties", "trust store", "javax.net.ssl.trustStorePassword=%s" },
		{ "properties", "jdbc url", "jdbc.url=jdbc:mysql://h/d?user=u&password=%s" },
		{ "properties", "connection string", "bus=Endpoint=sb://x/;SharedAccessKey=%s=" },
		{ "arguments", "option", "--password=%s" },
		{ "arguments", "option and word", "--token\n%s" },
		{ "arguments", "word", "%s" },
		{ "arguments", "header", "-H\nX-Api-Key: %s" },
		{ "field", "field called password", "%s" },
		{ "label", "field labelled API key", "%s" },
		{ "name", "name and value", "%s" },
		{ "event", "basic without header", "BASIC %s" },
		{ "event", "basic header", "AUTHORIZATION %s" },
		{ "event", "bearer without header", "sent Bearer %s" },
		{ "event", "oracle url", "jdbc:oracle:thin:scott/%s@//db:1521/orcl" },
		{ "event", "identified by", "ALTER USER x IDENTIFIED BY '%s'" },
		{ "event", "sql update", "UPDATE u SET password = '%s' WHERE id = 1" },
		{ "event", "sql insert", "INSERT INTO u (name, password) VALUES ('bob', '%s')" },
		{ "event", "azure sas", "https://x.blob.core.windows.net/c?sv=2020-08-04&sig=%s%%3D" },
		{ "event", "presigned url", "https://b.s3.amazonaws.com/k?X-Amz-Signature=%s" },
		{ "event", "key of a url", "https://maps.example.com/?key=%s&q=1" },
		{ "event", "passphrase in a sentence", "unlocked with passphrase %s today" },
		{ "event", "token in a sentence", "got token %s from the server" },
		{ "event", "password is", "the password is %s" },
		{ "event", "quoted password", "wrong password '%s'" },
		{ "event", "mysql", "mysql -u root -p%s app" },
		{ "event", "curl", "curl -u me:%s https://x.example.com/" },
		{ "event", "redis", "redis-cli -a %s ping" },
		{ "event", "cookie", "Cookie: a=b; JSESSIONID=%s" },
		{ "event", "set-cookie", "Set-Cookie: sid=%s; Path=/" },
		{ "event", "jsessionid", "/app;jsessionid=%s" },
		{ "event", "json in json", "{\\\"client_secret\\\":\\\"%s\\\"}" },
		{ "event", "xml", "<password>%s</password>" },
		{ "event", "xml property", "<property name=\"password\" value=\"%s\"/>" },
		{ "event", "map", "{user=bob, password=%s}" },
		{ "event", "setter", "ds.setPassword(\"%s\")" },
		{ "event", "account key", "DefaultEndpointsProtocol=https;AccountKey=%s==" },
		{ "event", "pwd of a connection", "Server=x;Uid=sa;Pwd=%s;" },
		{ "event", "password before a host", "login as me:%s@db.example.com failed" },
		{ "event", "pem", "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMII%s\n-----END RSA PRIVATE KEY-----" },
		{ "event", "slack hook", "https://hooks.slack.com/services/T0/B0/%s" },
		{ "event", "github token", "ghp_16C7e42F292c6912E7710c%s" },
		{ "event", "stripe key", "sk_live_4eC39HqLyjWDar%s" },
		{ "event", "jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3%s" },
		{ "event", "random characters", "kR7dTq2LwX9vB4nZ8%sYc3HsJ6" },
		{ "exception", "exception", "no login, password: %s" },
		{ "exception", "exception with a url", "cannot open https://u:%s@h.example.com/x" },
		{ "exception", "exception with a header", "refused X-Auth-Token: %s" },
		{ "thread", "name of a thread", "worker token=%s" },
		{ "thread", "sentence as a name", "refresh of password %s" },
		{ "file", "name of a file", "password=%s" },
		{ "file", "query as a name", "x&api_key=%s" },
		{ "child", "joined option", "-p%s" },
		{ "child", "option of a child", "--secret %s" },
		{ "child", "word of a child", "%s" },
		{ "again", "base64 of another", "base64 of 7" },
		{ "again", "urlencoded", "urlencoded of 900" },
		{ "again", "hexadecimal", "hexadecimal of 7" },
	};

	/* Digits and letters that are in nothing else. */
	static String secret(int i)
	{
		return "Pw" + i + "x" + Long.toString(i * 7919L + 46656L * 31, 36) + "Qz";
	}

	/* One that is written otherwise in URLs. */
	static final String ODD = "Pw900+x/Odd&Secret=7";

	static String basic(int i)
	{
		return Base64.getEncoder().encodeToString(("user:" + secret(i)).getBytes());
	}

	static String text(int i)
	{
		String template = PLANTED[i][2];

		if (template.startsWith("BASIC"))
			return "Basic " + basic(i);
		if (template.startsWith("AUTHORIZATION"))
			return "Authorization: Basic " + basic(i);
		return template.replace("%%", "%").replace("%s", secret(i));
	}

	static void print(String place)
	{
		for (int i = 0; i < PLANTED.length; i++) {
			if (PLANTED[i][0].equals(place))
				System.out.println((place.equals("properties") ? "-D" : "") + text(i));
		}
	}

	static String hex(String text)
	{
		StringBuilder hex = new StringBuilder();

		for (byte b : text.getBytes())
			hex.append(String.format("%02x", b));
		return hex.toString();
	}

	static String base64(String text)
	{
		return Base64.getEncoder().encodeToString(text.getBytes());
	}

	static void list() throws Exception
	{
		for (int i = 0; i < PLANTED.length; i++) {
			if (PLANTED[i][2].equals("base64 of 7"))
				System.out.println(PLANTED[i][1] + "\t" + base64("x" + secret(7)).substring(4, 12));
			else if (PLANTED[i][2].equals("urlencoded of 900"))
				System.out.println(PLANTED[i][1] + "\t" + java.net.URLEncoder.encode(ODD, "UTF-8"));
			else if (PLANTED[i][2].equals("hexadecimal of 7"))
				System.out.println(PLANTED[i][1] + "\t" + hex(secret(7)));
			else if (text(i).contains("Basic "))
				System.out.println(PLANTED[i][1] + "\t" + basic(i).substring(0, 16));
			else
				System.out.println(PLANTED[i][1] + "\t" + secret(i));
		}
		System.out.println("description\tMetadata77");
		System.out.println("odd characters\t" + ODD);
	}

	static void note(String text)
	{
		Note n = new Note();
		n.text = text;
		n.commit();
	}

	static void login(String password, String code, String note)
	{
		Login l = new Login();
		l.user = "bob";
		l.password = password;
		l.code = code;
		l.note = note;
		l.commit();
	}

	static void checkPassword(String text)
	{
		try {
			throw new IllegalStateException(text);
		} catch (IllegalStateException e) {
			note("failed");
		}
	}

	static void touch(File dir, String name) throws Exception
	{
		FileOutputStream f = new FileOutputStream(new File(dir, name));
		f.write(1);
		f.close();
	}

	static void plant(int i, File dir) throws Exception
	{
		String text = text(i);

		switch (PLANTED[i][0]) {
		case "field":
			login(text, null, null);
			break;
		case "label":
			login(null, text, null);
			break;
		case "name":
			Setting s = new Setting();
			s.name = "ldap.password";
			s.value = text;
			s.commit();
			break;
		case "event":
			note(text);
			break;
		case "exception":
			checkPassword(text);
			break;
		case "thread":
			Thread t = new Thread(() -> note("from a thread"), text);
			t.start();
			t.join();
			break;
		case "file":
			touch(dir, text);
			break;
		case "child":
			List<String> words = new ArrayList<>();
			words.add("/bin/true");
			for (String word : text.split(" "))
				words.add(word);
			new ProcessBuilder(words).start().waitFor();
			break;
		}
	}

	static void plantAgain() throws Exception
	{
		note("sent " + base64("x" + secret(7)) + " on");
		note("sent " + hex(secret(7)));
		login(ODD, null, null);
		note("GET /x?q=" + java.net.URLEncoder.encode(ODD, "UTF-8") + " 200");
		note("GET /x " + ODD);
	}

	public static void main(String[] args) throws Exception
	{
		if (args[0].equals("list")) {
			list();
			return;
		}
		if (args.length == 1) {
			print(args[0]);
			return;
		}
		for (int i = 0; i < PLANTED.length; i++)
			plant(i, new File(args[0]));
		plantAgain();
		try (ServerSocket s = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
		     Socket c = new Socket(s.getInetAddress(), s.getLocalPort())) {
			s.accept().close();
		}
	}
}
