import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

// A healthy server with one connection that is kept open between requests: its thread waits 3 s
// in read() for the next request, which is answered at once. No finding is to come of this.
public class KeepAlive {
	public static void main(String[] args) throws Exception {
		ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
		Thread t = new Thread(() -> {
			try (Socket s = server.accept()) {
				InputStream in = s.getInputStream();
				OutputStream out = s.getOutputStream();
				byte[] request = new byte[100];
				while (in.read(request) > 0)
					out.write(new byte[200]);
			} catch (Exception e) {
				e.printStackTrace();
			}
		}, "worker-1");
		t.setDaemon(true);
		t.start();
		try (Socket s = new Socket(server.getInetAddress(), server.getLocalPort())) {
			for (int i = 0; i < Integer.parseInt(args[0]); i++) {
				s.getOutputStream().write(new byte[50]);
				for (int n = 0; n < 200; n++)
					s.getInputStream().read();
				Thread.sleep(3000);
			}
		}
	}
}
