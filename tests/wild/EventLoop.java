package acme.loop;

import acme.Run;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Iterator;

/** A server of one thread that serves all its clients. "DELAY": a handler that blocks it for so long. */
public class EventLoop implements Runnable {
	private final Selector selector;
	private final ServerSocketChannel listener;
	private final int delay;

	EventLoop(int delay) throws Exception {
		this.delay = delay;
		selector = Selector.open();
		listener = ServerSocketChannel.open();
		listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
		listener.configureBlocking(false);
		listener.register(selector, SelectionKey.OP_ACCEPT);
	}

	int port() throws Exception {
		return ((InetSocketAddress) listener.getLocalAddress()).getPort();
	}

	public void run() {
		try {
			for (;;) {
				selector.select();
				for (Iterator<SelectionKey> i = selector.selectedKeys().iterator(); i.hasNext();) {
					SelectionKey key = i.next();
					i.remove();
					if (key.isAcceptable())
						accept();
					else
						read((SocketChannel) key.channel());
				}
			}
		} catch (Exception e) {
			throw new IllegalStateException(e);
		}
	}

	private void accept() throws Exception {
		SocketChannel client = listener.accept();
		client.configureBlocking(false);
		client.register(selector, SelectionKey.OP_READ);
	}

	private void read(SocketChannel client) throws Exception {
		ByteBuffer buffer = ByteBuffer.allocate(256);
		if (client.read(buffer) < 0) {
			client.close();
			return;
		}
		buffer.flip();
		handle(buffer);
		client.write(buffer);
	}

	private void handle(ByteBuffer request) {
		if (delay > 0)
			authorize(request);
	}

	/** Asks a server for rights, and waits for it. */
	private void authorize(ByteBuffer request) {
		Run.pause(delay);
	}

	public static void main(String[] args) throws Exception {
		EventLoop loop = new EventLoop(Integer.parseInt(args[0]));
		new Thread(loop, "event-loop-1").start();
		int port = loop.port();
		ThreadLocal<Socket> sockets = ThreadLocal.withInitial(() -> connect(port));
		Run.threads("client-", 8, () -> {
			Socket socket = sockets.get();
			socket.getOutputStream().write(new byte[100]);
			Run.sink += socket.getInputStream().readNBytes(100).length;
			Run.pause(args.length > 1 ? Integer.parseInt(args[1]) : 2);
		});
		Run.ready();
	}

	private static Socket connect(int port) {
		try {
			return new Socket(InetAddress.getLoopbackAddress(), port);
		} catch (java.io.IOException e) {
			throw new IllegalStateException(e);
		}
	}
}
