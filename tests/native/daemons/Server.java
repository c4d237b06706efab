/* SPDX-License-Identifier: MIT */
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Answers each line with the same line, in a thread for each client: Server PORT. */
public class Server {
    private static void serve(Socket client) {
        try (client) {
            BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream()));
            OutputStream out = client.getOutputStream();
            String line;

            while ((line = in.readLine()) != null) {
                out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (Exception e) {
            System.err.println(e);
        }
    }

    public static void main(String[] args) throws Exception {
        ServerSocket socket = new ServerSocket(Integer.parseInt(args[0]), 50, InetAddress.getByName("127.0.0.1"));

        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("ends")));
        System.out.println("listens");
        for (;;) {
            Socket client = socket.accept();

            new Thread(() -> serve(client)).start();
        }
    }
}
