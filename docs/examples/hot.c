/* SPDX-License-Identifier: MIT */
/*
 * hot.c - where the time and the memory go: the hottest methods of each profile
 *
 * usage: hot RECORDING
 */
#include <inttypes.h>
#include <stdio.h>

#include <jfrec/stacks.h>

static int print(void *ctx, const void *data, size_t len)
{
	return fwrite(data, 1, len, ctx) == len ? 0 : ferror(ctx);
}

/* Of all profiles: those of which the recording has nothing stay empty. */
static int add_all(struct jfrec_stacks *s, struct jfrec_error *err)
{
	for (size_t i = 0; i < jfrec_stacks_names_count(); i++)
		if (jfrec_stacks_add(s, jfrec_stacks_names_get(i), err) < 0)
			return -1;
	return 0;
}

static int print_all(struct jfrec_stacks *s, struct jfrec_error *err)
{
	const struct jfrec_stack_text how = {
		.struct_size = sizeof(how),
		.width = 100,
		.methods = 5,
	};
	const struct jfrec_stack_profile *p;

	for (size_t i = 0; (p = jfrec_stacks_get(s, 0, i)) != NULL; i++) {
		if (p->samples == 0)
			continue;
		printf("%s: %" PRIu64 " samples\n", p->name, p->samples);
		if (jfrec_stacks_print(s, i, &how, print, stdout, err) < 0)
			return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: hot RECORDING" };
	struct jfrec_reader *r = argc == 2 ? jfrec_reader_open(argv[1], NULL, &err) : NULL;
	struct jfrec_stacks *s = r ? jfrec_stacks_new(NULL, &err) : NULL;
	int ret = -1;

	if (s && add_all(s, &err) == 0 && jfrec_stacks_read(s, 0, r, &err) == 0)
		ret = print_all(s, &err);
	if (ret < 0)
		fprintf(stderr, "hot: %s\n", err.text);
	jfrec_stacks_free(s);
	jfrec_reader_close(r);
	return ret < 0;
}
