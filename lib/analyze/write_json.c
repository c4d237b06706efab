/* SPDX-License-Identifier: MIT */
/*
 * write_json.c - a finding as an object of JSON, and its commands
 */
#include "analyze/write_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock_now.h"
#include "base/error.h"
#include "base/options.h"
#include "base/shell_word.h"
#include "base/timetext.h"
#include "page/json_out.h"

/* What advice says in place of the recording. */
#define PLACE "RECORDING"

/* Commands ------------------------------------------------------------------------------------- */

char *jfrec_evidence_command(const struct jfrec_evidence *e, const char *operand)
{
	char *word, *text = NULL;

	if (e->is_whole)
		return strdup(e->text);
	word = operand ? shell_word(operand) : strdup(PLACE);
	if (word && asprintf(&text, "jfrec %s %s", e->text, word) < 0)
		text = NULL;
	free(word);
	return text;
}

char *jfrec_advice_text(const char *advice, const char *operand)
{
	const char *at = strstr(advice, PLACE);
	char *word, *text = NULL;

	if (!at || !operand)
		return strdup(advice);
	word = shell_word(operand);
	if (word && asprintf(&text, "%.*s%s%s", (int)(at - advice), advice, word,
			     at + strlen(PLACE)) < 0)
		text = NULL;
	free(word);
	return text;
}

/* Members -------------------------------------------------------------------------------------- */

const char *measure_name(enum jfrec_unit m)
{
	static const char *const names[] = {
		[JFREC_UNIT_NONE] = "number",
		[JFREC_UNIT_PERCENT] = "share",
		[JFREC_UNIT_NS] = "ns",
		[JFREC_UNIT_BYTES] = "bytes",
		[JFREC_UNIT_HERTZ] = "perSecond",
		[JFREC_UNIT_BYTES_PER_S] = "bytesPerSecond",
	};

	return names[m];
}

/* An object that is being written. */
struct object {
	struct out *out;
	const struct jfrec_finding_texts *texts;
	bool has_any, failed;
};

static void key(struct object *o, const char *name)
{
	json_put_comma(o->out, &o->has_any);
	json_put_string(o->out, name);
	out_char(o->out, ':');
}

/* A text of ours; NULL: it is left out. */
static void put_word(struct object *o, const char *name, const char *text)
{
	if (!text)
		return;
	key(o, name);
	json_put_string(o->out, text);
}

static const char *shown(const struct object *o, const char *text)
{
	return o->texts->shown && text ? o->texts->shown(o->texts->ctx, text) : text;
}

/* A text that may have names of the recording in it. */
static void put_text(struct object *o, const char *name, const char *text)
{
	put_word(o, name, shown(o, text));
}

/* The same of one that was made, and is freed. */
static void put_made(struct object *o, const char *name, char *text)
{
	o->failed |= !text;
	put_text(o, name, text);
	free(text);
}

static void put_integer(struct object *o, const char *name, int64_t v)
{
	key(o, name);
	json_put_integer(o->out, v);
}

/* With all digits that it takes to read it back as the same. */
static void put_number(struct object *o, const char *name, double v)
{
	char text[40] = "null";

	if (v == floor(v) && fabs(v) < 9e15)
		snprintf(text, sizeof(text), "%" PRId64, (int64_t)v);
	else if (isfinite(v))
		snprintf(text, sizeof(text), "%.15g", v);
	if (isfinite(v) && strtod(text, NULL) != v)
		snprintf(text, sizeof(text), "%.17g", v);
	key(o, name);
	json_put(o->out, text);
}

/* What is none is left out. */
static void put_real(struct object *o, const char *name, double v)
{
	if (isfinite(v))
		put_number(o, name, v);
}

static void put_time(struct object *o, const char *name, int64_t ns)
{
	struct second_text memo = { 0 };
	char text[80];

	*put_full_time(text, &memo, timespan_from(ns, NS_PER_SECOND), 0) = '\0';
	put_word(o, name, text);
}

/* The finding ---------------------------------------------------------------------------------- */

static void put_jmc(struct object *o, const char *const *rules)
{
	bool has_any = false;

	key(o, "jmc");
	out_char(o->out, '[');
	for (size_t i = 0; rules && rules[i]; i++) {
		json_put_comma(o->out, &has_any);
		json_put_string(o->out, rules[i]);
	}
	out_char(o->out, ']');
}

static void put_frames(struct object *o, const struct jfrec_evidence *e)
{
	bool has_any = false;

	key(o, "frames");
	out_char(o->out, '[');
	for (size_t i = 0; i < jfrec_evidence_frame_count(e); i++) {
		json_put_comma(o->out, &has_any);
		json_put_string(o->out, shown(o, jfrec_evidence_frame_get(e, i)));
	}
	out_char(o->out, ']');
}

static void put_piece(struct object *o, const struct jfrec_evidence *e)
{
	put_word(o, "kind", jfrec_evidence_kind_name(e->kind));
	put_text(o, "label", e->label);
	if (e->kind == JFREC_EVIDENCE_COMMAND) {
		put_made(o, "text", jfrec_evidence_command(e, o->texts->operand));
		return;
	}
	put_text(o, "text", e->text);
	if (e->kind == JFREC_EVIDENCE_QUANTITY) {
		put_real(o, "value", e->value);
		put_word(o, "unit", measure_name(e->unit));
	}
	if (e->from_ns != INT64_MIN) {
		put_time(o, "from", e->from_ns);
		put_time(o, "to", e->to_ns);
		put_integer(o, "fromNanos", e->from_ns);
		put_integer(o, "toNanos", e->to_ns);
	}
	put_real(o, "share", e->share);
	if (e->kind == JFREC_EVIDENCE_STACK)
		put_frames(o, e);
}

static void put_evidence(struct object *o, const struct jfrec_rule_finding *f)
{
	bool has_any = false;

	key(o, "evidence");
	out_char(o->out, '[');
	for (size_t i = 0; i < jfrec_finding_evidence_count(f); i++) {
		json_put_comma(o->out, &has_any);
		out_char(o->out, '{');
		o->has_any = false;
		put_piece(o, jfrec_finding_evidence_get(f, i));
		out_char(o->out, '}');
	}
	out_char(o->out, ']');
	o->has_any = true;
}

static void put_limits(struct object *o, const struct jfrec_rule_finding *f)
{
	if (!f->rule->measures)
		return;
	key(o, "limits");
	out_char(o->out, '{');
	o->has_any = false;
	put_number(o, "info", f->info);
	put_number(o, "warning", f->warning);
	put_word(o, "unit", measure_name(f->rule->unit));
	out_char(o->out, '}');
	o->has_any = true;
}

static void put_members(struct object *o, const struct jfrec_rule_finding *f)
{
	put_word(o, "rule", f->rule->id);
	put_jmc(o, f->rule->jmc);
	put_word(o, "severity", jfrec_severity_name(f->severity));
	if (f->severity == JFREC_SEVERITY_IGNORED)
		put_word(o, "unignored", jfrec_severity_name(f->unignored));
	put_text(o, "ignoredBecause", f->ignored_because);
	put_real(o, "score", round(f->score * 100) / 100);
	put_real(o, "value", f->value);
	put_text(o, "summary", f->summary);
	if (f->advice)
		put_made(o, "advice", jfrec_advice_text(f->advice, o->texts->operand));
	if (f->severity >= JFREC_SEVERITY_INFO)
		put_text(o, "confidence", f->doubt ? f->doubt : "full");
	put_word(o, "noData", jfrec_no_data_name(f->no_data));
	put_word(o, "settings", f->settings);
	put_word(o, "explainedBy", f->explained_by);
	put_limits(o, f);
	put_word(o, "jmcDiffers", f->rule->differs);
	put_evidence(o, f);
}

int finding_put_json(struct out *out, const struct jfrec_rule_finding *f,
		     const struct jfrec_finding_texts *texts)
{
	struct object o = { .out = out, .texts = texts };

	out_char(out, '{');
	put_members(&o, f);
	out_char(out, '}');
	return o.failed ? -1 : 0;
}

int jfrec_finding_write_json(const struct jfrec_rule_finding *f,
			     const struct jfrec_finding_texts *texts, jfrec_write_fn *write,
			     void *ctx, struct jfrec_error *err)
{
	struct jfrec_finding_texts how;
	struct out out;
	int ret;

	if (options_take(&how, sizeof(how), texts, err) < 0 ||
	    out_init(&out, write, ctx, err) < 0)
		return -1;
	ret = finding_put_json(&out, f, &how) < 0 ? jfrec_fail_memory(err) : 0;
	out_flush(&out);
	if (ret == 0 && out.error)
		ret = out_fail(&out, err);
	out_fini(&out);
	return ret;
}
