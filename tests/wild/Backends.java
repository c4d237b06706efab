package acme.remote;

import acme.Run;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A client of a backend. "serve PORT DELAY" is the backend, in a JVM of its own; it prints its port. */
public class Backends {
	static void serve(int port, int delay) throws IOException {
		ServerSocket listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
		System.out.println("port " + listener.getLocalPort());
		for (;;) {
			Socket socket = listener.accept();
			new Thread(() -> answer(socket, delay)).start();
		}
	}

	private static void answer(Socket socket, int delay) {
		try (socket) {
			socket.setTcpNoDelay(true);
			DataInputStream in = new DataInputStream(socket.getInputStream());
			DataOutputStream out = new DataOutputStream(socket.getOutputStream());
			for (;;) {
				int key = in.readInt();
				if (delay > 0)
					Run.pause(delay);
				out.writeLong(key * 31L);
			}
		} catch (IOException e) {
			// The client has ended.
		}
	}

	private final int port;
	private final ThreadLocal<Socket> sockets = new ThreadLocal<>();

	Backends(int port) {
		this.port = port;
	}

	long ask(int key) throws IOException {
		Socket socket = sockets.get();
		if (socket == null) {
			socket = new Socket(InetAddress.getLoopbackAddress(), port);
			socket.setTcpNoDelay(true);
			sockets.set(socket);
		}
		new DataOutputStream(socket.getOutputStream()).writeInt(key);
		return new DataInputStream(socket.getInputStream()).readLong();
	}

	/** An order with its lines: each line asks once more. */
	long loadOrder(int order) throws IOException {
		long sum = ask(order);
		for (int line = 0; line < 60; line++)
			sum += ask(order * 100 + line);
		return sum;
	}

	public static void main(String[] args) throws Exception {
		int port = Integer.parseInt(args[1]);
		if (args[0].equals("serve")) {
			serve(port, Integer.parseInt(args[2]));
			return;
		}
		Backends backend = new Backends(port);
		if (args[0].equals("orders"))
			Run.threads("worker-", 3, () -> {
				Run.sink += backend.loadOrder(5);
				Run.pause(20);
			});
		else
			Run.threads("http-exec-", 5, () -> {
				Run.sink += backend.ask(5);
				Run.pause(8);
			});
		Run.ready();
	}
}
