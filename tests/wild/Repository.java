package acme.data;

import acme.Run;
import java.util.ArrayDeque;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Requests that take a connection from a pool of our own; SIZE connections, THREADS requests. */
public class Repository {
	static class Connection {
		int query(int key) {
			Run.pause(30);
			return key * 17;
		}
	}

	interface Pool {
		Connection borrow() throws InterruptedException, TimeoutException;

		void giveBack(Connection connection);
	}

	static class QueuePool implements Pool {
		private final BlockingQueue<Connection> free;

		QueuePool(int size) {
			free = new ArrayBlockingQueue<>(size);
			for (int i = 0; i < size; i++)
				free.add(new Connection());
		}

		public Connection borrow() throws InterruptedException, TimeoutException {
			Connection connection = free.poll(2, TimeUnit.SECONDS);
			if (connection == null)
				throw new TimeoutException("no connection within 2 s");
			return connection;
		}

		public void giveBack(Connection connection) {
			free.add(connection);
		}
	}

	static class MonitorPool implements Pool {
		private final ArrayDeque<Connection> free = new ArrayDeque<>();

		MonitorPool(int size) {
			for (int i = 0; i < size; i++)
				free.add(new Connection());
		}

		public synchronized Connection borrow() throws InterruptedException {
			while (free.isEmpty())
				wait(5000);
			return free.poll();
		}

		public synchronized void giveBack(Connection connection) {
			free.add(connection);
			notify();
		}
	}

	static class ConditionPool implements Pool {
		private final ArrayDeque<Connection> free = new ArrayDeque<>();
		private final ReentrantLock lock = new ReentrantLock();
		private final Condition returned = lock.newCondition();

		ConditionPool(int size) {
			for (int i = 0; i < size; i++)
				free.add(new Connection());
		}

		public Connection borrow() throws InterruptedException {
			lock.lock();
			try {
				while (free.isEmpty())
					returned.await();
				return free.poll();
			} finally {
				lock.unlock();
			}
		}

		public void giveBack(Connection connection) {
			lock.lock();
			try {
				free.add(connection);
				returned.signal();
			} finally {
				lock.unlock();
			}
		}
	}

	private final Pool pool;

	Repository(Pool pool) {
		this.pool = pool;
	}

	int load(int key) throws Exception {
		Connection connection = pool.borrow();
		try {
			return connection.query(key);
		} finally {
			pool.giveBack(connection);
		}
	}

	public static void main(String[] args) {
		int size = Integer.parseInt(args[1]);
		int threads = Integer.parseInt(args[2]);
		Pool pool = args[0].equals("queue") ? new QueuePool(size)
			: args[0].equals("monitor") ? new MonitorPool(size) : new ConditionPool(size);
		Repository customers = new Repository(pool);
		Run.threads("http-exec-", threads, () -> {
			Run.sink += customers.load(3);
			Run.pause(4);
		});
		Run.ready();
	}
}
