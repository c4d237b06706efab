/* SPDX-License-Identifier: MIT */
/*
 * perfetto.c - a trace for the Perfetto UI: threads, what lasted in them, samples, counters
 *
 * https://perfetto.dev/docs/reference/trace-packet-proto. A trace is a row of packets, each field 1
 * of it. Numbers of fields:
 *
 *    TracePacket      6 clock_snapshot  8 timestamp  10 trusted_packet_sequence_id
 *                     11 track_event  12 interned_data  13 sequence_flags
 *                     60 track_descriptor  66 perf_sample
 *    TrackDescriptor  1 uuid  2 name  3 process  4 thread  5 parent_uuid  8 counter
 *    TrackEvent       4 debug_annotations  9 type  11 track_uuid  23 name
 *                     30 counter_value  44 double_counter_value
 *    InternedData     5 function_names  6 frames  7 callstacks  17 mapping_paths  19 mappings
 *    PerfSample       2 pid  3 tid  4 callstack_iid
 *
 * Slices of a track lie in one another.  Of markers of a thread that overlap otherwise, some go to
 * further tracks of that thread.  Times are ns since 1970, which the clocks of the trace are set
 * to.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/protobuf.h"
#include "profiles/firefox.h"

#define PID	    1
#define SEQUENCE    1
#define BEGIN_SLICE 1
#define END_SLICE   2
#define COUNTER	    4

/* Tracks of one thread: what overlaps even more is cut where the slice around it ends. */
#define LANES_MAX 64
#define DEPTH_MAX 512

/* Numbers of tracks: the process, counters, threads, and the lanes of each. */
#define PROCESS_TRACK 1
#define COUNTER_TRACK 2
#define THREAD_TRACK  16

struct perfetto {
	struct firefox f;
	struct buffer packet, message, part, inner;
	bool *has_frame, *has_stack, *has_name; /* by number: it was written */
	uint32_t *stack;			/* room for the frames of one */
	bool is_cleared, has_no_memory;
};

/* Packets -------------------------------------------------------------------------------------- */

/* What is in p->packet, as a packet of the trace. */
static void end_packet(struct perfetto *p)
{
	protobuf_number(&p->packet, 10, SEQUENCE);
	/* The first one says that nothing was interned before it. */
	protobuf_number(&p->packet, 13, p->is_cleared ? 2 : 3);
	p->is_cleared = true;
	protobuf_message(&p->message, 1, &p->packet);
	p->has_no_memory |= p->message.failed || p->packet.failed;
	if (!p->has_no_memory)
		out_put(p->f.out, (const char *)p->message.data, p->message.len);
	buffer_clear(&p->message);
	buffer_clear(&p->packet);
}

static void put_part(struct perfetto *p, unsigned field)
{
	protobuf_message(&p->packet, field, &p->part);
	buffer_clear(&p->part);
}

static void put_inner(struct perfetto *p, unsigned field)
{
	protobuf_message(&p->part, field, &p->inner);
	buffer_clear(&p->inner);
}

static void put_text(struct buffer *b, unsigned field, const char *text)
{
	protobuf_bytes(b, field, text, strlen(text));
}

/* Both clocks are the same: times are looked up in that of the boot, and shown by the real one. */
static void put_clocks(struct perfetto *p)
{
	static const unsigned clocks[] = { 1 /* real time */, 6 /* since the boot */ };

	for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
		protobuf_number(&p->inner, 1, clocks[i]);
		protobuf_number(&p->inner, 2, (uint64_t)p->f.start_ns);
		put_inner(p, 1);
	}
	put_part(p, 6);
	end_packet(p);
}

/* Tracks --------------------------------------------------------------------------------------- */

static uint64_t track_of(uint32_t thread, unsigned lane)
{
	return THREAD_TRACK + (uint64_t)thread * LANES_MAX + lane;
}

static void put_process(struct perfetto *p)
{
	protobuf_number(&p->part, 1, PROCESS_TRACK);
	protobuf_number(&p->inner, 1, PID);
	put_text(&p->inner, 6, p->f.stacks->title ? p->f.stacks->title : "JVM");
	put_inner(p, 3);
	put_part(p, 60);
	end_packet(p);
}

/* What belongs to no thread is on a track of the process. */
static void put_thread(struct perfetto *p, uint32_t number)
{
	const struct thread *t = &p->f.threads[number];
	struct thread_text name = { "JVM", 3, "" };

	if (t->frame != FRAME_NONE) {
		const struct book *book = &p->f.stacks->book;
		const struct name *n = &book->names.list[book->frames.list[t->frame].name];

		name = frame_thread_name(n->text, n->len);
	}
	protobuf_number(&p->part, 1, track_of(number, 0));
	protobuf_number(&p->part, 5, PROCESS_TRACK);
	if (t->frame == FRAME_NONE) {
		protobuf_bytes(&p->part, 2, name.text, name.len);
	} else {
		protobuf_number(&p->inner, 1, PID);
		protobuf_number(&p->inner, 2, (uint64_t)number + PID + 1);
		protobuf_bytes(&p->inner, 5, name.text, name.len);
		put_inner(p, 4);
	}
	put_part(p, 60);
	end_packet(p);
}

static void put_lane(struct perfetto *p, uint32_t number, unsigned lane)
{
	protobuf_number(&p->part, 1, track_of(number, lane));
	put_text(&p->part, 2, "overlapping");
	protobuf_number(&p->part, 5, track_of(number, 0));
	put_part(p, 60);
	end_packet(p);
}

/* Slices --------------------------------------------------------------------------------------- */

static void begin_slice(struct perfetto *p, uint64_t track, const struct marker *m)
{
	const struct name *names = p->f.stacks->book.names.list;

	protobuf_number(&p->packet, 8, (uint64_t)m->start_ns);
	protobuf_number(&p->part, 9, BEGIN_SLICE);
	protobuf_number(&p->part, 11, track);
	protobuf_bytes(&p->part, 23, names[m->label].text, names[m->label].len);
	if (m->detail != NAME_NONE) {
		put_text(&p->inner, 10, "detail");
		protobuf_bytes(&p->inner, 6, names[m->detail].text, names[m->detail].len);
		put_inner(p, 4);
	}
	put_part(p, 11);
	end_packet(p);
}

static void end_slice(struct perfetto *p, uint64_t track, int64_t at_ns)
{
	protobuf_number(&p->packet, 8, (uint64_t)at_ns);
	protobuf_number(&p->part, 9, END_SLICE);
	protobuf_number(&p->part, 11, track);
	put_part(p, 11);
	end_packet(p);
}

/* The ends of the slices that are open on a track. */
struct lane {
	int64_t ends[DEPTH_MAX];
	unsigned depth;
};

static void close_ended(struct perfetto *p, struct lane *l, uint64_t track, int64_t by_ns)
{
	while (l->depth && l->ends[l->depth - 1] <= by_ns)
		end_slice(p, track, l->ends[--l->depth]);
}

static bool has_room(const struct lane *l, int64_t end_ns)
{
	return !l->depth || (l->depth < DEPTH_MAX && end_ns <= l->ends[l->depth - 1]);
}

/* Put a slice on the first track where it lies in what is open. */
static void put_slice(struct perfetto *p, uint32_t thread, struct lane *lanes, unsigned *count,
		      const struct marker *m)
{
	int64_t end_ns = m->end_ns;
	unsigned lane = 0;

	for (lane = 0; lane < *count; lane++) {
		close_ended(p, &lanes[lane], track_of(thread, lane), m->start_ns);
		if (has_room(&lanes[lane], end_ns))
			break;
	}
	if (lane == LANES_MAX) {
		struct lane *last = &lanes[--lane];

		if (last->depth == DEPTH_MAX)
			end_slice(p, track_of(thread, lane), m->start_ns), last->depth--;
		else
			end_ns = last->ends[last->depth - 1];
	} else if (lane == *count) {
		lanes[(*count)++].depth = 0;
		if (lane)
			put_lane(p, thread, lane);
	}
	begin_slice(p, track_of(thread, lane), m);
	lanes[lane].ends[lanes[lane].depth++] = end_ns;
}

/* The outer ones of those that begin at the same time first. */
static int by_start_and_length(const void *x, const void *y, void *markers)
{
	const struct marked *a = x, *b = y;
	const struct marker *m = (const struct marker *)markers + a->marker;
	const struct marker *n = (const struct marker *)markers + b->marker;

	if (m->start_ns != n->start_ns)
		return m->start_ns < n->start_ns ? -1 : 1;
	if (m->end_ns != n->end_ns)
		return m->end_ns > n->end_ns ? -1 : 1;
	return a->marker < b->marker ? -1 : a->marker > b->marker;
}

static void put_slices(struct perfetto *p, uint32_t number, struct lane *lanes)
{
	const struct thread *t = &p->f.threads[number];
	struct marked *list = p->f.markers + t->first_marker;
	struct marker *markers = p->f.stacks->markers.markers;
	unsigned count = 0;

	if (t->marker_count)
		qsort_r(list, t->marker_count, sizeof(*list), by_start_and_length, markers);
	for (size_t i = 0; i < t->marker_count; i++)
		put_slice(p, number, lanes, &count, &markers[list[i].marker]);
	for (unsigned lane = 0; lane < count; lane++)
		close_ended(p, &lanes[lane], track_of(number, lane), INT64_MAX);
}

/* Samples -------------------------------------------------------------------------------------- */

/* Numbers of what is interned begin with 1. */
static void intern_frame(struct perfetto *p, uint32_t frame)
{
	const struct book *book = &p->f.stacks->book;
	uint32_t name = book->frames.list[frame].name;

	if (!p->has_name[name]) {
		protobuf_number(&p->inner, 1, (uint64_t)name + 1);
		protobuf_bytes(&p->inner, 2, book->names.list[name].text,
			       book->names.list[name].len);
		put_inner(p, 5);
		p->has_name[name] = true;
	}
	if (p->has_frame[frame])
		return;
	protobuf_number(&p->inner, 1, (uint64_t)frame + 1);
	protobuf_number(&p->inner, 2, (uint64_t)name + 1);
	protobuf_number(&p->inner, 3, 1);
	put_inner(p, 6);
	p->has_frame[frame] = true;
}

/* The stack that ends in that node, its frames from the root on. */
static void intern_stack(struct perfetto *p, uint32_t node)
{
	uint32_t depth = 0;

	if (p->has_stack[node])
		return;
	p->has_stack[node] = true;
	for (uint32_t at = node; at && depth < STACKS_MAX_DEPTH; at = p->f.all.nodes[at].parent)
		p->stack[depth++] = p->f.all.nodes[at].frame;
	for (uint32_t i = 0; i < depth; i++)
		intern_frame(p, p->stack[i]);
	protobuf_number(&p->inner, 1, (uint64_t)node + 1);
	for (uint32_t i = depth; i > 0; i--)
		protobuf_number(&p->inner, 2, (uint64_t)p->stack[i - 1] + 1);
	put_inner(p, 7);
	put_part(p, 12);
}

static void put_mapping(struct perfetto *p)
{
	protobuf_number(&p->inner, 1, 1);
	put_text(&p->inner, 2, "jvm");
	put_inner(p, 17);
	protobuf_number(&p->inner, 1, 1);
	protobuf_number(&p->inner, 7, 1);
	put_inner(p, 19);
	put_part(p, 12);
	end_packet(p);
}

static int put_samples(struct perfetto *p, uint32_t number)
{
	const struct thread *t = &p->f.threads[number];

	if (!t->sample_count)
		return 0;
	if (firefox_turn_to(&p->f, number) < 0)
		return -1;
	for (size_t i = 0; i < t->sample_count; i++) {
		const struct moment *m = &p->f.batch[t->first_sample + i];

		intern_stack(p, m->stack);
		protobuf_number(&p->packet, 8, (uint64_t)m->time_ns);
		protobuf_number(&p->part, 2, PID);
		protobuf_number(&p->part, 3, (uint64_t)number + PID + 1);
		protobuf_number(&p->part, 4, (uint64_t)m->stack + 1);
		put_part(p, 66);
		end_packet(p);
	}
	return 0;
}

/* Counters ------------------------------------------------------------------------------------- */

static void put_counter_tracks(struct perfetto *p)
{
	static const struct {
		const char *name, *unit;
		unsigned kind;
	} counters[READING_KINDS] = {
		[READING_CPU] = { "JVM CPU", "% of the machine", 0 },
		[READING_HEAP] = { "Java heap in use", NULL, 3 /* bytes */ },
	};

	for (unsigned i = 0; i < READING_KINDS; i++) {
		protobuf_number(&p->part, 1, COUNTER_TRACK + i);
		put_text(&p->part, 2, counters[i].name);
		protobuf_number(&p->part, 5, PROCESS_TRACK);
		protobuf_number(&p->inner, 3, counters[i].kind);
		if (counters[i].unit)
			put_text(&p->inner, 6, counters[i].unit);
		put_inner(p, 8);
		put_part(p, 60);
		end_packet(p);
	}
}

static void put_counters(struct perfetto *p)
{
	const struct marker_list *l = &p->f.stacks->markers;

	for (size_t i = 0; i < l->reading_count; i++) {
		const struct reading *r = &l->readings[i];
		double value = r->kind == READING_CPU ? 100 * r->value : r->value;
		uint64_t bits;

		memcpy(&bits, &value, sizeof(bits));
		protobuf_number(&p->packet, 8, (uint64_t)r->time_ns);
		protobuf_number(&p->part, 9, COUNTER);
		protobuf_number(&p->part, 11, COUNTER_TRACK + r->kind);
		protobuf_fixed64(&p->part, 44, bits);
		put_part(p, 11);
		end_packet(p);
	}
}

/* The trace ------------------------------------------------------------------------------------ */

/* Samples of one profile are shown: those of CPU time, or else of the wall clock, or the first. */
static size_t sampled_kind(const struct jfrec_stacks *s, size_t only)
{
	static const char *const names[] = { "cpu", "wall" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		for (size_t k = 0; k < s->kind_count; k++) {
			if (stacks_has(s, k, only) && strcmp(s->kinds[k]->name, names[i]) == 0)
				return k;
		}
	}
	for (size_t k = 0; k < s->kind_count; k++) {
		if (stacks_has(s, k, only))
			return k;
	}
	return only;
}

static int put_all(struct perfetto *p)
{
	struct lane *lanes = calloc(LANES_MAX, sizeof(*lanes));
	int ret = lanes ? 0 : -1;

	put_clocks(p);
	put_mapping(p);
	put_process(p);
	put_counter_tracks(p);
	put_counters(p);
	for (uint32_t i = 0; i < p->f.thread_count && ret == 0; i++) {
		put_thread(p, i);
		put_slices(p, i, lanes);
		ret = put_samples(p, i);
	}
	free(lanes);
	return p->has_no_memory ? -1 : ret;
}

static int collect(struct perfetto *p)
{
	const struct book *book = &p->f.stacks->book;

	if (firefox_collect(&p->f) < 0)
		return -1;
	p->has_frame = calloc((size_t)book->frames.count + 1, sizeof(*p->has_frame));
	p->has_name = calloc((size_t)book->names.count + 1, sizeof(*p->has_name));
	p->has_stack = calloc((size_t)p->f.all.count + 1, sizeof(*p->has_stack));
	p->stack = calloc(STACKS_MAX_DEPTH, sizeof(*p->stack));
	return p->has_frame && p->has_name && p->has_stack && p->stack ? 0 : -1;
}

int perfetto_write(struct jfrec_stacks *s, size_t only, double minimum, struct out *out,
		   struct jfrec_error *err)
{
	struct perfetto p = { .f = { .stacks = s, .out = out } };
	int ret;

	(void)minimum; /* the UI leaves out what is small itself */
	p.f.only = sampled_kind(s, only);
	ret = collect(&p) < 0 ? -1 : put_all(&p);
	free(p.has_frame);
	free(p.has_name);
	free(p.has_stack);
	free(p.stack);
	buffer_fini(&p.packet);
	buffer_fini(&p.message);
	buffer_fini(&p.part);
	buffer_fini(&p.inner);
	firefox_fini(&p.f);
	return ret < 0 ? jfrec_fail_memory(err) : 0;
}
