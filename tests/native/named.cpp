/* SPDX-License-Identifier: MIT */
/* named.cpp - functions of all kinds, each in the stack of an event: named.py knows their names */
#include <string>
#include <vector>

#include <jfrec-recorder.h>

#define CALL(F) F(INT, number, "Number", PLAIN)
JFREC_STACK_EVENT(call, "names.Call", "Call", "Names", CALL)

#define VISIBLE __attribute__((noinline, noclone, optimize("no-optimize-sibling-calls")))
#ifdef __clang__
#undef VISIBLE
#define VISIBLE __attribute__((noinline))
#endif

/* Behind the call is more to do, so that the caller stays on the stack. */
static volatile int done;
#define EMIT(n)                   \
	do {                      \
		call_emit(n);     \
		done = done + 1;  \
	} while (0)

namespace app
{
struct Order {
	int number;

	VISIBLE Order(int n) : number(n) { EMIT(number); }
	VISIBLE ~Order() { EMIT(number); }
	VISIBLE int operator()(int by) const { EMIT(by); return number + by; }
	VISIBLE bool operator<(const Order &other) const { EMIT(number); return number < other.number; }
	VISIBLE operator std::string() const { EMIT(number); return std::to_string(number); }
};

template <class T, int N> struct Ring {
	T slots[N];

	VISIBLE T put(T t) { EMIT(N); slots[0] = t; return t; }
	template <class U> VISIBLE U as() { EMIT(N); return U(slots[0]); }
};

template <class... T> VISIBLE int all(T...)
{
	EMIT((int)sizeof...(T));
	return sizeof...(T);
}

/* Its symbol has more than 255 bytes. */
template <class A, class B> struct Pair {
	A one;
	B two;
};
struct WithANameThatIsLongerThanThoseThatPeopleGiveToTheirClassesMostly {};
struct AndWithOneThatIsAsLongButOtherwiseDoesNotHaveMuchInCommonWithIt {};
struct SinceWhatIsRepeatedTakesTwoBytesInASymbolThereMustBeAThirdOneAsWell {};
struct AndEvenAFourthOneSoThatEverybodyCanSeeThatItIsLongerThanThat {};
using Deepest = Pair<Pair<WithANameThatIsLongerThanThoseThatPeopleGiveToTheirClassesMostly,
			  AndWithOneThatIsAsLongButOtherwiseDoesNotHaveMuchInCommonWithIt>,
		     Pair<SinceWhatIsRepeatedTakesTwoBytesInASymbolThereMustBeAThirdOneAsWell,
			  AndEvenAFourthOneSoThatEverybodyCanSeeThatItIsLongerThanThat>>;
template <class T> VISIBLE int deep(const T &)
{
	EMIT(5);
	return 5;
}

namespace
{
VISIBLE int hidden(int n)
{
	EMIT(n);
	return n;
}
}

VISIBLE int locals(int n)
{
	struct Inner {
		VISIBLE int run(int by) { EMIT(by); return by; }
	};
	auto twice = [n](int by) VISIBLE { EMIT(by); return by * n; };

	return Inner().run(n) + twice(n) + done;
}
}

extern "C" VISIBLE int plain(int n)
{
	EMIT(n);
	return n;
}

int main()
{
	int sum = 0;

	{
		app::Order order(1);

		sum += order(2);
		sum += order < app::Order(3);
		sum += (int)std::string(order).size();
	}
	app::Ring<double, 4> ring = {};
	sum += (int)ring.put(1.5) + (int)ring.as<long>();
	sum += app::all() + app::all(1, "two", 3L);
	sum += app::deep(app::Deepest{});
	sum += app::hidden(7) + app::locals(8) + plain(9);
	return sum > 0 ? 0 : 1;
}
