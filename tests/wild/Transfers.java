package acme.bank;

import acme.Run;
import java.util.concurrent.locks.ReentrantLock;

/** Two accounts that are locked in the order in which money flows: soon two transfers wait for each other. */
public class Transfers {
	static final class Account {
		final ReentrantLock lock = new ReentrantLock();
		long balance = 1000;
	}

	private final Account giro = new Account();
	private final Account savings = new Account();
	private final boolean byLocks;

	Transfers(boolean byLocks) {
		this.byLocks = byLocks;
	}

	void transfer(Account from, Account to) {
		if (byLocks)
			transferLocked(from, to);
		else
			transferSynchronized(from, to);
	}

	private void transferSynchronized(Account from, Account to) {
		synchronized (from) {
			Run.pause(2);
			synchronized (to) {
				move(from, to);
			}
		}
	}

	private void transferLocked(Account from, Account to) {
		from.lock.lock();
		try {
			Run.pause(2);
			to.lock.lock();
			try {
				move(from, to);
			} finally {
				to.lock.unlock();
			}
		} finally {
			from.lock.unlock();
		}
	}

	private void move(Account from, Account to) {
		from.balance--;
		to.balance++;
	}

	public static void main(String[] args) {
		Transfers bank = new Transfers(args[0].equals("locks"));
		Run.threads("save-", 1, () -> bank.transfer(bank.giro, bank.savings));
		Run.threads("spend-", 1, () -> bank.transfer(bank.savings, bank.giro));
		Run.threads("report-", 2, () -> {
			Run.pause(100);
			Run.sink += bank.giro.balance;
		});
		Run.ready();
	}
}
