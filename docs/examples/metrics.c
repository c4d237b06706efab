/* SPDX-License-Identifier: MIT */
/*
 * metrics.c - the last minute of a recording as OpenMetrics, for a monitoring system
 *
 * usage: metrics RECORDING [SERVICE]
 */
#include <stdio.h>

#include <jfrec/metrics.h>
#include <jfrec/reader.h>

static int print(void *ctx, const void *data, size_t len)
{
	return fwrite(data, 1, len, ctx) == len ? 0 : ferror(ctx);
}

static int take_all(struct jfrec_metrics *m, struct jfrec_reader *r, struct jfrec_error *err)
{
	const struct jfrec_event *ev;
	int64_t start_ns, end_ns;
	int got;

	if (jfrec_reader_span(r, &start_ns, &end_ns, err) < 0)
		return -1;
	while ((got = jfrec_reader_next(r, &ev, err)) > 0)
		if (jfrec_metrics_event(m, ev, err) < 0)
			return -1;
	jfrec_metrics_flush(m, end_ns);
	return got;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: metrics RECORDING [SERVICE]" };
	struct jfrec_reader *r = argc > 1 ? jfrec_reader_open(argv[1], NULL, &err) : NULL;
	struct jfrec_metrics *m = NULL;
	int ret = -1;

	if (r)
		m = jfrec_metrics_new(NULL, argv[2], INT64_C(60000000000), &err);
	if (m && take_all(m, r, &err) == 0) {
		const struct jfrec_metrics *all[] = { m };

		ret = jfrec_metrics_print(all, 1, print, stdout, &err);
	}
	if (ret < 0)
		fprintf(stderr, "metrics: %s\n", err.text);
	jfrec_metrics_free(m);
	jfrec_reader_close(r);
	return ret < 0;
}
