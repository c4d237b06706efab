/* SPDX-License-Identifier: MIT */
/*
 * shopd.c - a shop that records itself: the program of jfrec-recorder(7)
 *
 * usage: shopd [ORDERS]
 *
 * JFREC_RECORD=filename=shop.jfr shopd
 */
#include <jfrec-recorder.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ORDER(F)                                  \
	F(LONG, number, "Order Number", PLAIN)    \
	F(STRING, customer, "Customer", PLAIN)    \
	F(INTERNED, country, "Country", PLAIN)    \
	F(LONG, memory, "Memory Used", BYTES)
JFREC_SPAN_EVENT(order, "shop.Order", "Order", "Shop,Orders", ORDER)

#define STOCK(F)                               \
	F(INT, articles, "Articles", PLAIN)    \
	F(DOUBLE, filled, "Filled", PERCENTAGE)
JFREC_EVENT(stock, "shop.Stock", "Stock", "Shop", STOCK)

static const char *const countries[] = { "Norway", "Portugal", "Japan" };
static long orders = 1000;

static double work(long amount)
{
	double sum = 0;

	for (long i = 1; i < amount; i++)
		sum += 1.0 / (double)i;
	return sum;
}

static void *serve(void *name)
{
	char customer[32];

	jfrec_recorder_name_thread((const char *)name);
	for (long i = 0; i < orders; i++) {
		uint64_t begin = order_begin();

		snprintf(customer, sizeof(customer), "customer %.0f", work(1000 + i % 100 * 50) * 3);
		order_end(begin, i, customer, jfrec_event_intern(countries[i % 3]), i % 100 * 400);
		if (i % 10 == 0)
			stock_emit((int32_t)(orders - i), (double)(orders - i) / (double)orders);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static char names[][16] = { "counter-1", "counter-2" };
	pthread_t counters[2];

	if (argc > 1)
		orders = atol(argv[1]);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&counters[i], NULL, serve, names[i]))
			return 1;
	for (int i = 0; i < 2; i++)
		pthread_join(counters[i], NULL);
	return 0;
}
