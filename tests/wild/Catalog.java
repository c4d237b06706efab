package acme.catalog;

import acme.Run;
import java.util.ArrayList;
import java.util.List;

/** A catalog that fills a part of the heap, and requests that allocate. "catalog MB THREADS PAUSE" */
public class Catalog {
	static class Article {
		final long id;
		final String name;
		final byte[] picture;

		Article(long id) {
			this.id = id;
			name = "article " + id;
			picture = new byte[900];
		}
	}

	private final List<Article> articles = new ArrayList<>();

	Catalog(int megabytes) {
		for (long id = 0; id < megabytes * 1000L; id++)
			articles.add(new Article(id));
	}

	List<String> search(int seed) {
		List<String> hits = new ArrayList<>();
		for (int i = 0; i < 300; i++) {
			Article article = articles.get((seed * 31 + i * 977) % articles.size() & 0x7fffffff);
			hits.add(article.name + ": " + article.picture.length);
		}
		return hits;
	}

	/** Some articles are new, so that the old ones die in the old generation. */
	void renew(int seed) {
		for (int i = 0; i < 60; i++)
			articles.set(Math.floorMod(seed * 131 + i * 7919, articles.size()), new Article(seed));
	}

	public static void main(String[] args) {
		Catalog catalog = new Catalog(Integer.parseInt(args[0]));
		int threads = Integer.parseInt(args[1]);
		int pause = Integer.parseInt(args[2]);
		boolean collects = args.length > 3;
		java.util.Random random = new java.util.Random(3);
		Run.threads("http-exec-", threads, () -> {
			Run.sink += catalog.search(random.nextInt(100_000)).size();
			synchronized (catalog) {
				catalog.renew(random.nextInt(100_000));
			}
			if (pause > 0)
				Run.pause(pause);
			if (collects && random.nextInt(60) == 0)
				System.gc();
		});
		Run.ready();
	}
}
