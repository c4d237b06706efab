/* SPDX-License-Identifier: MIT */
/*
 * five.c - five functions of which each knows how much CPU time it has taken
 *
 * usage: five SECONDS
 *
 * Prints "work_a 0.098 ..." for the shares, by the thread's CPU clock.  One of them spends its time
 * in memmove(), one in qsort(), and one is reached by a recursion.
 */
#include <jfrec-recorder.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOINLINE __attribute__((noinline, noclone))

#define ROUND(F) F(INT, number, "Number", PLAIN)
JFREC_EVENT(round, "five.Round", "Round", "Five", ROUND)

static volatile double result;
static double spent[5];
static char bytes[2][256 << 10];
static int numbers[4000];

static double cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* noinline alone would let compilers see that it does the same each time. */
NOINLINE double leaf(long n)
{
	double sum = 0;

	for (long i = 1; i < n; i++)
		sum += 1.0 / (double)i;
	return sum;
}

NOINLINE void work_a(long n)
{
	result += leaf(n);
	__asm__ volatile("");
}

NOINLINE void work_b(long n)
{
	result += leaf(n / 2);
	result += leaf(n / 2);
	__asm__ volatile("");
}

NOINLINE void work_c(long n)
{
	for (long i = 0; i < n; i++)
		memmove(bytes[i % 2], bytes[(i + 1) % 2], sizeof(bytes[0]) - (size_t)(i % 8));
	__asm__ volatile("");
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

NOINLINE void work_d(long n)
{
	for (long i = 0; i < n; i++) {
		for (int k = 0; k < 4000; k++)
			numbers[k] = (k * 7919 + (int)i) % 4001;
		qsort(numbers, 4000, sizeof(numbers[0]), compare);
	}
	__asm__ volatile("");
}

NOINLINE void down(long n, int depth)
{
	if (depth)
		down(n, depth - 1);
	else
		result += leaf(n);
	__asm__ volatile("");
}

NOINLINE void work_e(long n)
{
	down(n, 20);
	round_emit((int32_t)n);
	__asm__ volatile("");
}

/*
 * From half to one and a half times as many.  Rounds of one length could keep step with the
 * kernel's tick, at which samples are taken: then each is of the same place.
 */
static long varied(long n)
{
	static uint32_t random = 1;

	random ^= random << 13;
	random ^= random >> 17;
	random ^= random << 5;
	return n / 2 + (long)((uint64_t)n * random >> 32);
}

int main(int argc, char **argv)
{
	static void (*const work[])(long) = { work_a, work_b, work_c, work_d, work_e };
	static const long amounts[] = { 300000, 600000, 40, 2, 600000 };
	double end = cpu() + (argc > 1 ? atof(argv[1]) : 1), sum = 0;

	while (cpu() < end)
		for (int i = 0; i < 5; i++) {
			double began = cpu();

			work[i](varied(amounts[i]));
			spent[i] += cpu() - began;
		}
	for (int i = 0; i < 5; i++)
		sum += spent[i];
	for (int i = 0; i < 5; i++)
		printf("work_%c %.5f\n", 'a' + i, spent[i] / sum);
	return 0;
}
