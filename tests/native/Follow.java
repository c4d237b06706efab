// Follow.java - follow the repository of a native program with the JDK's event stream
//
// usage: java Follow.java DIRECTORY EVENTS

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import jdk.jfr.consumer.EventStream;

public class Follow {
    public static void main(String[] args) throws Exception {
        long wanted = Long.parseLong(args[1]);
        Set<Long> seen = new HashSet<>();
        long[] twice = new long[1];
        long[] unnamed = new long[1];
        try (EventStream stream = EventStream.openRepository(Path.of(args[0]))) {
            stream.setStartTime(Instant.EPOCH);
            stream.onEvent("shop.Order", e -> {
                String name = e.getThread() == null ? "" : e.getThread().getJavaName();
                if (!name.startsWith("counter-") || e.getString("country") == null) {
                    unnamed[0]++;
                    return;
                }
                if (!seen.add(e.getLong("number") * 4 + name.charAt(name.length() - 1) - '0')) {
                    twice[0]++;
                }
                if (seen.size() == wanted) {
                    new Thread(stream::close).start();
                }
            });
            stream.startAsync();
            stream.awaitTermination(Duration.ofSeconds(60));
        }
        System.out.println(seen.size() + " once, " + twice[0] + " twice, " + unnamed[0] + " without constants");
    }
}
