/* SPDX-License-Identifier: MIT */
/*
 * orders.c - write a recording with an event type of one's own, by jfrec.h alone
 */
#include <jfrec.h>
#include <stdio.h>

#define SECOND	 INT64_C(1000000000)
#define MIDNIGHT (INT64_C(1795132800) * SECOND)

static const char *const shop[] = { "Shop", "Orders", NULL };

static const struct jfrec_new_field fields[] = {
	{ .name = "customer", .kind = JFREC_KIND_STRING, .label = "Customer" },
	{ .name = "placed", .kind = JFREC_KIND_INT64, .label = "Placed", .unit = JFREC_UNIT_TIME },
	{ .name = "size", .kind = JFREC_KIND_INT64, .label = "Size", .unit = JFREC_UNIT_BYTES },
	{ .name = "waited", .kind = JFREC_KIND_INT32, .label = "Waited", .unit = JFREC_UNIT_MS },
	{ .name = "rebate",
	  .kind = JFREC_KIND_FLOAT32,
	  .label = "Rebate",
	  .unit = JFREC_UNIT_PERCENT },
	{ .name = "handler", .kind = JFREC_KIND_CLASS, .label = "Handler" },
};

static const struct jfrec_new_type order = {
	.struct_size = sizeof(order),
	.name = "shop.Order",
	.label = "Order",
	.category = shop,
	.has_duration = true, .has_thread = true,
	.has_stack = true,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(*fields),
};

static const struct jfrec_new_frame frames[] = {
	{ "shop.Till", "take", "(Lshop/Order;)V", 42, NULL },
	{ "shop.Main", "main", "([Ljava/lang/String;)V", 7, "Interpreted" },
};

static void write_order(struct jfrec_writer *w, unsigned type, int number)
{
	const struct jfrec_new_thread thread = { .name = "till-1", .group = "main", .id = 21 };
	const struct jfrec_new_event event = {
		.start_ns = MIDNIGHT + number * SECOND,
		.duration_ns = 1500000,
		.thread = jfrec_writer_thread(w, &thread),
		.stack = jfrec_writer_stack(w, frames, 2, false),
	};
	const union jfrec_datum values[] = {
		{ .s = number % 2 ? "J\303\274rgen" : "Ann" },
		{ .i = event.start_ns - SECOND },
		{ .i = number * 1024 },
		{ .i = 250 },
		{ .d = 0.125 },
		{ .key = jfrec_writer_class(w, "shop.Till") },
	};

	jfrec_writer_event(w, type, &event, values);
}

int main(int argc, char **argv)
{
	struct jfrec_error err;
	struct jfrec_output *o =
		jfrec_output_open(argc > 1 ? argv[1] : "-", false, JFREC_BY_NAME, &err);
	struct jfrec_writer *w = o ? jfrec_writer_new(o, MIDNIGHT, &err) : NULL;
	unsigned type = w ? jfrec_writer_type(w, &order) : 0;

	for (int i = 0; w && i < 10; i++)
		write_order(w, type, i);
	if (w && jfrec_writer_end(w, MIDNIGHT + 10 * SECOND, &err) == 0 &&
	    jfrec_output_commit(o, &err) == 0)
		err.code = JFREC_OK;
	if (err.code)
		fprintf(stderr, "orders: %s\n", err.text);
	jfrec_writer_free(w);
	jfrec_output_close(o);
	return err.code != JFREC_OK;
}
