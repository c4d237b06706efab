package acme.files;

import acme.Run;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;

/** A journal that is written to disk line by line, or asks the kernel for each byte. */
public class Journal {
	private final File file;

	Journal(File file) {
		this.file = file;
		file.deleteOnExit();
	}

	/** Each booking is on disk before the next one begins. */
	void book(FileOutputStream out, int number) throws IOException {
		byte[] line = ("booking " + number + " of account " + number % 97 + "\n").getBytes(StandardCharsets.UTF_8);
		out.write(line);
		out.getFD().sync();
	}

	/** Without a buffer: a call of the kernel for each byte. */
	long checksum(RandomAccessFile in) throws IOException {
		long sum = 0;
		in.seek(0);
		for (int c = in.read(); c >= 0; c = in.read())
			sum = sum * 31 + c;
		return sum;
	}

	public static void main(String[] args) throws Exception {
		Journal journal = new Journal(File.createTempFile("journal", ".log"));
		FileOutputStream out = new FileOutputStream(journal.file);
		if (args[0].equals("sync")) {
			int[] number = {0};
			Run.threads("booking-", 1, () -> {
				journal.book(out, number[0]++);
				if (number[0] % 20000 == 0)
					out.getChannel().truncate(0);
			});
		} else {
			out.write(new byte[200_000]);
			for (int i = 0; i < 2; i++) {
				RandomAccessFile in = new RandomAccessFile(journal.file, "r");
				Run.threads("audit-" + i + "-", 1, () -> Run.sink += journal.checksum(in));
			}
		}
		Run.ready();
	}
}
