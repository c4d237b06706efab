/* SPDX-License-Identifier: MIT */
/*
 * answer.c - tables as a caller sees them: jfrec/query.h
 */
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/options.h"
#include "query/layout.h"
#include "query/ride.h"

const char *jfrec_answer_name(const struct jfrec_answer *t)
{
	return t->name;
}

const char *jfrec_answer_title(const struct jfrec_answer *t)
{
	return t->title;
}

bool jfrec_answer_is_form(const struct jfrec_answer *t)
{
	return t->is_form;
}

size_t jfrec_answer_column_count(const struct jfrec_answer *t)
{
	return t->query->visible_count;
}

size_t jfrec_answer_row_count(const struct jfrec_answer *t)
{
	return t->shown;
}

static enum jfrec_unit amount_unit(const struct look *l)
{
	if (l->is_frequency)
		return l->is_bits ? JFREC_UNIT_BITS_PER_S : JFREC_UNIT_BYTES_PER_S;
	return l->is_bits ? JFREC_UNIT_BITS : JFREC_UNIT_BYTES;
}

static enum jfrec_unit unit_of(const struct look *l)
{
	if (l->sorts_as_text)
		return JFREC_UNIT_NONE;
	if (l->is_percentage)
		return JFREC_UNIT_PERCENT;
	if (l->is_span)
		return JFREC_UNIT_NS;
	if (l->is_time)
		return JFREC_UNIT_TIME;
	if (l->is_amount)
		return amount_unit(l);
	if (l->is_address)
		return JFREC_UNIT_ADDRESS;
	return l->is_frequency ? JFREC_UNIT_HERTZ : JFREC_UNIT_NONE;
}

static enum jfrec_kind kind_of(const struct look *l, enum jfrec_unit unit)
{
	if (unit == JFREC_UNIT_NS)
		return JFREC_KIND_SPAN;
	if (unit == JFREC_UNIT_TIME)
		return JFREC_KIND_TIME;
	if (unit != JFREC_UNIT_NONE)
		return JFREC_KIND_FLOAT;
	if (!l->sorts_as_text && strcmp(l->type, "boolean") == 0)
		return JFREC_KIND_BOOL;
	return l->sorts_as_text || l->is_left ? JFREC_KIND_STRING : JFREC_KIND_FLOAT;
}

const struct jfrec_answer_column *jfrec_answer_column_get(struct jfrec_answer *t, size_t i)
{
	const struct column *c = &t->query->columns[i];
	struct jfrec_answer_column *to = &t->column;

	if (i >= t->query->visible_count)
		return NULL;
	*to = (struct jfrec_answer_column){
		.label = c->label,
		.field = c->field.path,
		.aggregator = c->function ? c->function : aggregator_names[c->aggregator].name,
		.unit = unit_of(&c->look),
		.is_left = c->look.is_left,
	};

	if (c->aggregator == AGGREGATE_DIFF && c->look.is_time)
		to->unit = JFREC_UNIT_NS;
	to->kind = kind_of(&c->look, to->unit);
	if (t->parsed->item_count)
		to->alias = t->parsed->items[i].alias;
	return to;
}

void table_for_people(struct jfrec_answer *t, jfrec_zone_fn *zone, void *ctx)
{
	t->writer.is_by_human_h = true;
	t->writer.zone = zone;
	t->writer.zone_ctx = ctx;
	t->writer.has_quarter = false;
}

const char *table_cell_text(struct jfrec_answer *t, size_t row, size_t column, size_t *len)
{
	struct text text = table_text(t, &t->writer, row, (unsigned)column, false);

	*len = text.len;
	return text.s;
}

static const struct value *value_at(const struct jfrec_answer *t, size_t row, size_t column)
{
	return &t->rows[row][column];
}

static bool is_no_number(const struct value *v)
{
	return (value_is_fractional(v) && !__builtin_isfinite(v->d)) ||
	       (v->kind == VALUE_SPAN &&
		(v->i == SPAN_MIN_SECONDS || v->i == SPAN_FOREVER_SECONDS)) ||
	       (v->kind == VALUE_TIME && v->i == TIME_MIN_SECONDS);
}

struct jfrec_cell jfrec_answer_cell(struct jfrec_answer *t, size_t row, size_t column)
{
	const struct value at = *value_at(t, row, column), *v = &at;
	struct jfrec_cell c = { .kind = JFREC_KIND_NULL };
	struct text text;

	if (value_is_null(v) || is_no_number(v))
		return c;
	if (t->query->columns[column].format.normalized &&
	    (value_is_number(v) || v->kind == VALUE_SPAN)) {
		c.kind = JFREC_KIND_FLOAT;
		c.d = t->sums[column] != 0 ? table_value(t, row, (unsigned)column).d : 0;
		return c;
	}
	switch ((enum value_kind)v->kind) {
	case VALUE_BOOLEAN:
		c.kind = JFREC_KIND_BOOL;
		c.i = v->i;
		return c;
	case VALUE_SPAN:
	case VALUE_TIME:
		c.kind = JFREC_KIND_INT;
		c.i = value_ns(v);
		return c;
	case VALUE_FLOAT:
	case VALUE_DOUBLE:
		c.kind = JFREC_KIND_FLOAT;
		c.d = v->d;
		return c;
	case VALUE_BYTE:
	case VALUE_SHORT:
	case VALUE_INT:
	case VALUE_LONG:
		c.kind = JFREC_KIND_INT;
		c.i = v->i;
		return c;
	default:
		text = v->kind == VALUE_OBJECT && v->object->kind == OBJECT_STRING
			       ? v->object->name
			       : table_text(t, &t->writer, row, (unsigned)column, false);
		if (v->kind != VALUE_OBJECT)
			buffer_u8(&t->writer.text, 0);
		c.kind = text.s ? JFREC_KIND_STRING : JFREC_KIND_NULL;
		c.text = v->kind != VALUE_OBJECT ? (const char *)t->writer.text.data : text.s;
		c.len = text.len;
		return c;
	}
}

static const struct object *trace_at(const struct jfrec_answer *t, size_t row, size_t column)
{
	const struct value *v = value_at(t, row, column);

	return v->kind == VALUE_OBJECT && v->object->kind == OBJECT_TRACE ? v->object : NULL;
}

size_t jfrec_answer_frame_count(const struct jfrec_answer *t, size_t row, size_t column)
{
	const struct object *trace = trace_at(t, row, column);

	return trace ? trace->count : 0;
}

const char *jfrec_answer_frame_get(const struct jfrec_answer *t, size_t row, size_t column,
				   size_t i)
{
	const struct object *trace = trace_at(t, row, column);

	return trace && i < trace->count && trace->items[i]
		       ? object_as_text(trace->items[i], false).s
		       : NULL;
}

int jfrec_answer_find_column(const struct jfrec_answer *t, const char *name)
{
	for (unsigned i = 0; i < t->query->visible_count; i++) {
		const struct column *c = &t->query->columns[i];
		const char *alias = t->parsed->item_count ? t->parsed->items[i].alias : NULL;

		if (strcasecmp(c->label, name) == 0 || (alias && strcasecmp(alias, name) == 0) ||
		    strcasecmp(c->field.path, name) == 0)
			return (int)i;
	}
	return -1;
}

int jfrec_answer_sort(struct jfrec_answer *t, size_t column, enum jfrec_direction direction,
		      struct jfrec_error *err)
{
	static const enum direction directions[] = {
		[JFREC_DIRECTION_DEFAULT] = DIRECTION_UNSET,
		[JFREC_ASCENDING] = ASCENDING,
		[JFREC_DESCENDING] = DESCENDING,
	};

	return table_sort(t, (unsigned)column, directions[direction]) ? 0 : jfrec_fail_memory(err);
}

void jfrec_answer_limit(struct jfrec_answer *t, uint64_t rows)
{
	t->shown = rows < t->row_count ? (size_t)rows : t->row_count;
}

/* As text -------------------------------------------------------------------------------------- */

static void put_nothing(const struct jfrec_answer *t, struct out *out)
{
	if (!t->title)
		return;
	OUT_STR(out, "\nNo events found for '");
	out_put(out, t->title, strlen(t->title));
	OUT_STR(out, "'.\n");
}

static bool put(const struct jfrec_answer *t, const struct jfrec_answer_options *o, struct out *out)
{
	struct cell_writer w = { .zone = o->zone, .zone_ctx = o->zone_ctx };
	struct layout_options options = {
		.verbose = o->verbose,
		.width = o->width,
		.cell_height = o->cell_height,
		.truncate = o->truncate_beginning ? TRUNCATE_BEGINNING
			    : o->truncate_end	  ? TRUNCATE_END
						  : TRUNCATE_UNSET,
	};
	bool ok = true;

	if (!t->query->visible_count || !t->row_count)
		put_nothing(t, out);
	else
		ok = t->is_form ? layout_form(t, &options, &w, out)
				: layout_table(t, &options, &w, out);
	cell_writer_fini(&w);
	return ok;
}

int jfrec_answer_print(const struct jfrec_answer *t, const struct jfrec_answer_options *given,
		       jfrec_write_fn *write, void *ctx, struct jfrec_error *err)
{
	struct jfrec_answer_options o;
	struct out out;
	bool ok;
	int ret = 0;

	if (options_take(&o, sizeof(o), given, err) < 0 || out_init(&out, write, ctx, err) < 0)
		return -1;
	ok = put(t, &o, &out);
	out_flush(&out);
	if (!ok)
		ret = jfrec_fail_memory(err);
	else if (out.error)
		ret = out_fail(&out, err);
	out_fini(&out);
	return ret;
}
