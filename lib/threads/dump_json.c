/* SPDX-License-Identifier: MIT */
/*
 * dump_json.c - thread dumps of Thread.dump_to_file -format=json
 *
 *	{"threadDump": {
 *	  "processId": "4711", "time": "2026-11-28T01:44:04.67Z", "runtimeVersion": "25.0.3+9-LTS",
 *	  "threadContainers": [ {
 *	    "container": "<root>", "parent": null, "owner": null,
 *	    "threads": [ {
 *	      "tid": "18", "name": "", "virtual": true, "state": "WAITING",
 *	      "parkBlocker": {"object": "java.util...NonfairSync@3753d41b", "owner": "17"},
 *	      "blockedOn": "...", "waitingOn": "...",
 *	      "stack": ["java.base/java.lang.VirtualThread.park(VirtualThread.java:742)", ...],
 *	      "monitorsOwned": [{"depth": 7, "locks": ["java.lang.Object@54bc40a2"]}]
 *	    } ],
 *	    "threadCount": "10" } ] } }
 *
 * JDK 21 has names and stacks only. The JVM looks at one thread after the other, so what two of
 *them show need not have been at the same time.
 */
#include "threads/dump_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/idmap.h"
#include "threads/json_pull.h"

/* Whose lock is whose, as the dump says it. */
struct owned {
	size_t thread;
	uint64_t owner;
};

struct reading {
	struct dump *d;
	struct json_pull j;
	struct owned *owned;
	size_t count, room;
	bool is_dump;
};

/* A text begins with its class: "java.lang.Object@54bc40a2". */
static struct jfrec_lock lock_of(struct reading *r, const char *text)
{
	const char *at = strrchr(text, '@');
	char *name = arena_strndup(&r->d->arena, text, at ? (size_t)(at - text) : strlen(text));

	r->d->no_memory |= !name;
	return (struct jfrec_lock){ .id = text, .class_name = name, .frame = 0 };
}

static void wait_for(struct reading *r, struct jfrec_dumped_thread *t, enum jfrec_wait wait,
		     const char *text)
{
	if (!text)
		return;
	t->lock = lock_of(r, text);
	t->wait = wait == JFREC_WAIT_PARK ? wait_of_park(t->lock.class_name) : wait;
}

static void read_blocker(struct reading *r, struct jfrec_dumped_thread *t)
{
	struct owned o = { .thread = r->d->count - 1 };

	if (!pull_enter(&r->j, '{'))
		return;
	for (const char *name; (name = pull_member(&r->j)) != NULL;) {
		if (strcmp(name, "object") == 0)
			wait_for(r, t, JFREC_WAIT_PARK, pull_text(&r->j));
		else if (strcmp(name, "owner") == 0)
			o.owner = pull_number(&r->j);
		else
			pull_skip(&r->j);
	}
	if (o.owner && !array_push(r->owned, r->count, r->room, o))
		r->d->no_memory = true;
}

static void read_held_at(struct reading *r)
{
	size_t depth = 0, first = r->d->lock_count;

	if (!pull_enter(&r->j, '{'))
		return;
	for (const char *name; (name = pull_member(&r->j)) != NULL;) {
		if (strcmp(name, "depth") == 0) {
			depth = pull_number(&r->j);
		} else if (strcmp(name, "locks") == 0 && pull_enter(&r->j, '[')) {
			while (pull_item(&r->j)) {
				const char *text = pull_text(&r->j);
				struct jfrec_lock lock;

				if (!text)
					continue;
				lock = lock_of(r, text);
				dump_add_lock(r->d, &lock);
			}
		} else {
			pull_skip(&r->j);
		}
	}
	for (size_t i = first; i < r->d->lock_count; i++)
		r->d->locks[i].frame = depth;
}

/* In JDK 25 who waits for a notice owns no more the monitor that it waits on, but be sure. */
static void leave_waited(struct dump *d)
{
	struct jfrec_dumped_thread *t = &d->threads[d->count - 1];
	size_t first = d->lock_count - t->held_count, kept = first;

	if (t->wait != JFREC_WAIT_NOTICE)
		return;
	for (size_t i = first; i < d->lock_count; i++) {
		if (!is_same_lock(&d->locks[i], &t->lock))
			d->locks[kept++] = d->locks[i];
	}
	d->lock_count = kept;
	t->held_count = kept - first;
}

static void read_member(struct reading *r, struct jfrec_dumped_thread *t, const char *name)
{
	struct json_pull *j = &r->j;
	const char *text;

	if (strcmp(name, "tid") == 0) {
		t->id = pull_number(j);
	} else if (strcmp(name, "name") == 0) {
		text = pull_text(j);
		t->name = text ? text : "";
	} else if (strcmp(name, "state") == 0) {
		t->state = pull_text(j);
	} else if (strcmp(name, "virtual") == 0) {
		t->is_virtual = t->daemon = pull_true(j);
	} else if (strcmp(name, "blockedOn") == 0) {
		wait_for(r, t, JFREC_WAIT_MONITOR, pull_text(j));
	} else if (strcmp(name, "waitingOn") == 0) {
		wait_for(r, t, JFREC_WAIT_NOTICE, pull_text(j));
	} else if (strcmp(name, "parkBlocker") == 0) {
		read_blocker(r, t);
	} else if (strcmp(name, "stack") == 0 && pull_enter(j, '[')) {
		while (pull_item(j)) {
			text = pull_text(j);
			if (text)
				dump_add_frame(r->d, text);
		}
	} else if (strcmp(name, "monitorsOwned") == 0 && pull_enter(j, '[')) {
		while (pull_item(j))
			read_held_at(r);
	} else {
		pull_skip(j);
	}
}

static void read_thread(struct reading *r)
{
	struct jfrec_dumped_thread *t;

	if (!pull_enter(&r->j, '{'))
		return;
	t = dump_begin_thread(r->d, "");
	for (const char *name; t && (name = pull_member(&r->j)) != NULL;)
		read_member(r, t, name);
	if (t)
		leave_waited(r->d);
	else
		r->j.failed = true;
}

static void read_container(struct reading *r)
{
	if (!pull_enter(&r->j, '{'))
		return;
	for (const char *name; (name = pull_member(&r->j)) != NULL;) {
		if (strcmp(name, "threads") == 0 && pull_enter(&r->j, '[')) {
			while (pull_item(&r->j))
				read_thread(r);
		} else {
			pull_skip(&r->j);
		}
	}
}

static void read_dump(struct reading *r)
{
	if (!pull_enter(&r->j, '{'))
		return;
	r->is_dump = true;
	for (const char *name; (name = pull_member(&r->j)) != NULL;) {
		if (strcmp(name, "time") == 0) {
			r->d->is.time = pull_text(&r->j);
		} else if (strcmp(name, "runtimeVersion") == 0) {
			r->d->is.vm = pull_text(&r->j);
		} else if (strcmp(name, "threadContainers") == 0 && pull_enter(&r->j, '[')) {
			while (pull_item(&r->j))
				read_container(r);
		} else {
			pull_skip(&r->j);
		}
	}
}

static void draw_owners(struct reading *r)
{
	struct idmap numbers = { 0 };

	for (size_t i = 0; r->count && i < r->d->count; i++) {
		if (!idmap_put(&numbers, r->d->threads[i].id, (uint32_t)i))
			r->d->no_memory = true;
	}
	for (size_t i = 0; i < r->count; i++) {
		uint32_t owner = idmap_get(&numbers, r->owned[i].owner);

		if (owner != IDMAP_NONE && owner != r->owned[i].thread)
			r->d->threads[r->owned[i].thread].holder = owner;
	}
	idmap_fini(&numbers);
}

int dump_json_read(struct dump *d, char *text, size_t len, struct jfrec_error *err)
{
	struct reading r = { .d = d, .j = { .at = text, .end = text + len } };

	*d = (struct dump){ .is = { .is_json = true } };
	if (pull_enter(&r.j, '{')) {
		for (const char *name; (name = pull_member(&r.j)) != NULL;) {
			if (strcmp(name, "threadDump") == 0)
				read_dump(&r);
			else
				pull_skip(&r.j);
		}
	}
	draw_owners(&r);
	free(r.owned);
	d->is.is_cut |= r.j.failed || r.j.at > r.j.end;
	if (!r.is_dump)
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
				  "it is JSON, but no thread dump of Thread.dump_to_file -format=json");
	return 0;
}
