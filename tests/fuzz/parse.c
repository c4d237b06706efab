/* SPDX-License-Identifier: MIT */
/* parse.c - a fuzz target for the function of parse.h that PARSE names */
#include "parse_parts.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach/wire.h"
#include "base/buffer.h"
#include "base/keys.h"
#include "collect/config.h"
#include "collect/state.h"
#include "format/chunk.h"
#include "jfr/heap_check.h"
#include "jfr/option.h"
#include "jfr/quote.h"
#include "jfr/recordings.h"
#include "jfr/reply.h"
#include "load/counters.h"
#include "load/stat.h"
#include "process/cmdline.h"
#include "process/container.h"
#include "process/hsperf.h"
#include "process/loaded.h"
#include "process/opener.h"
#include "process/proc_text.h"
#include "process/version.h"
#include "recorder/ground/region.h"
#include "repository/chunks.h"
#include "repository/crash_file.h"
#include "repository/name.h"
#include "stream/http_request.h"
#include "target.h"
#include "top/thread_names.h"
#include "unit/json_alone.h"

static void change_region(int fd, const struct region *r, const uint8_t *bytes, size_t len)
{
	const uint64_t parts[] = { 0, r->rows_at, r->slots_at, r->texts_at, r->types_at, r->big_at,
				   r->buffers_at };

	while (len > 4) {
		uint64_t at = parts[bytes[0] % 7] + (uint64_t)(bytes[1] | bytes[2] << 8);
		size_t n = bytes[3] < len - 4 ? bytes[3] : len - 4;

		insist(pwrite(fd, bytes + 4, n, (off_t)at) == (ssize_t)n, "it can be written");
		bytes += 4 + n;
		len -= 4 + n;
	}
}

void parse_crash(const uint8_t *bytes, size_t len)
{
	int fd = memfd_create("crash", MFD_CLOEXEC), out = memfd_create("chunk", MFD_CLOEXEC);
	struct region r;
	struct stat st;
	uint8_t head[CHUNK_HEADER_SIZE];

	region_lay_out(&r, 4);
	memcpy(r.magic, REGION_MAGIC, sizeof(r.magic));
	atomic_store(&r.fresh, 4);
	insist(fd >= 0 && out >= 0 && ftruncate(fd, (off_t)r.size) == 0, "there is memory");
	insist(pwrite(fd, &r, sizeof(r), 0) == sizeof(r), "it can be written");
	change_region(fd, &r, bytes, len);
	if (crash_file_write(fd, -1, out, NULL) > 0)
		insist(fstat(out, &st) == 0 && pread(out, head, sizeof(head), 0) == sizeof(head) &&
			       chunk_header_parse(head).size == (uint64_t)st.st_size,
		       "a chunk is as long as its header says");
	close(out);
	close(fd);
}

static void touch_entry(void *ctx, const struct hsperf_entry *entry)
{
	(void)ctx;
	touch(entry->name);
	touch(entry->text);
}

/* As numbers of the heap, and of collections since a reading of which nothing is known. */
static void parse_counters(const void *bytes, size_t len)
{
	static const struct counters none;
	struct counters c;
	double share;

	if (!counters_parse(&c, bytes, len))
		return;
	insist(!(c.used < 0) && !(c.committed < 0), "no heap is less than nothing");
	share = counters_share(&c, &c, 1);
	insist(share == -1 || (share >= 0 && share <= 1), "a share is one of the time");
	share = counters_share(&none, &c, 1);
	insist(share == -1 || (share >= 0 && share <= 1), "a share is one of the time");
	insist(counters_rate(&c, &c, 1) >= -1, "no rate is less than nothing");
}

void parse_hsperf(const uint8_t *bytes, size_t len)
{
	void *copy = copy_of(bytes, len, 0);
	struct hsperf h;

	if (hsperf_parse(&h, copy, len)) {
		touch(h.command);
		touch(h.java_version);
		touch(h.spec_version);
		touch(h.vm_version);
		touch(h.vm_name);
		touch(h.vm_vendor);
		touch(h.home);
		touch(h.capabilities);
	}
	hsperf_each(copy, len, touch_entry, NULL);
	parse_counters(copy, len);
	free(copy);
}

/* The same bytes in pieces of several sizes give the same names. */
static json_t *names_in(const void *bytes, size_t len, size_t piece)
{
	struct thread_names t = { .names = json_object() };

	for (size_t at = 0; at < len; at += piece)
		insist(thread_names_take(&t, (const char *)bytes + at,
					 len - at < piece ? len - at : piece) == 0,
		       "there is memory");
	return t.names;
}

static void parse_keys(const char *bytes, size_t len)
{
	int key;

	for (size_t at = 0; at < len;) {
		size_t used = key_decode(bytes + at, len - at, &key);

		insist(used >= 1 && used <= len - at, "a key has at least a byte, and no more than there are");
		at += used;
	}
}

void parse_dump(const uint8_t *bytes, size_t len)
{
	void *copy = copy_of(bytes, len, 0);
	json_t *whole = names_in(copy, len, len + 1), *pieces = names_in(copy, len, 7);
	char *text = json_dumps(whole, JSON_COMPACT);

	insist(text != NULL, "names are UTF-8");
	insist(json_equal(whole, pieces), "pieces make no difference");
	parse_keys(copy, len);
	free(text);
	json_decref(whole);
	json_decref(pieces);
	free(copy);
}

static void parse_cmdline(const uint8_t *bytes, size_t len)
{
	char *copy = copy_of(bytes, len, 1);
	struct cmdline c;

	cmdline_parse(&c, copy, len);
	insist(!c.main || (c.main >= copy && c.main <= c.end), "the main class is a word");
	insist(c.end == copy + len, "the end is the end");
	touch(c.program);
	touch(c.main);
	sink += environ_find_option(copy, len, "-XX:+DisableAttachMechanism") != NULL;
	free(copy);
}

static void parse_maps(const uint8_t *bytes, size_t len)
{
	char *copy = copy_of(bytes, len, 1), *rest = copy, *line;
	struct loaded l = { .kind = JFREC_JVM_MAYBE };

	while ((line = strsep(&rest, "\n")) != NULL)
		loaded_take_line(&l, line);
	loaded_conclude(&l);
	touch(l.library);
	touch(l.perf);
	loaded_fini(&l);
	free(copy);
}

static void parse_texts(const uint8_t *bytes, size_t len)
{
	char *text = copy_of(bytes, len, 1), id[CONTAINER_ID_MAX];
	struct proc_status s;
	const char *version;
	uint64_t ticks;
	size_t n;

	sink += proc_status_parse(&s, text) + proc_stat_start(text, &ticks);
	if (container_find(text, id))
		insist(*id && strlen(id) < sizeof(id), "an id is not empty");
	version = version_of_release(text, &n);
	insist(!version || n <= strlen(version), "a version ends in the text");
	sink += (size_t)version_feature(text) + (size_t)version_of_layout(text);
	free(text);
}

static void parse_stat(const uint8_t *bytes, size_t len)
{
	char *copy = copy_of(bytes, len, 1);
	struct stat_line line = { 0 };

	if (stat_parse(&line, copy))
		touch(line.name);
	free(copy);
}

void parse_proc(const uint8_t *bytes, size_t len)
{
	parse_cmdline(bytes, len);
	parse_maps(bytes, len);
	parse_texts(bytes, len);
	parse_stat(bytes, len);
}

/* Names are of 40 bytes at most, contents of 64 KB. */
static void make_entry(int dir, unsigned kind, const char *name, const uint8_t *bytes, size_t len)
{
	int fd;

	if (kind == 1) {
		(void)!symlinkat("/etc/passwd", dir, name);
	} else if (kind == 2) {
		mkfifoat(dir, name, 0600);
	} else if (kind == 3) {
		mkdirat(dir, name, 0700);
	} else {
		fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd < 0)
			return;
		insist(write(fd, bytes, len) == (ssize_t)len, "a file can be made");
		close(fd);
	}
}

/* An entry: a kind, the length of its name and the name, the length of its content and that. */
static void fill(int dir, const uint8_t *at, size_t len)
{
	for (int i = 0; i < 64 && len > 2; i++) {
		size_t name_len = at[1] % 41, content_len;
		unsigned kind = *at % 4;
		char name[64];

		if (len < 2 + name_len + 2)
			return;
		memcpy(name, at + 2, name_len);
		name[name_len] = '\0';
		at += 2 + name_len;
		len -= 2 + name_len;
		content_len = (size_t)at[0] << 8 | at[1];
		at += 2;
		len -= 2;
		content_len = content_len < len ? content_len : len;
		if (!strchr(name, '/') && *name && strcmp(name, "..") != 0)
			make_entry(dir, kind, name, at, content_len);
		at += content_len;
		len -= content_len;
	}
}

static int remove_entry(void *ctx, const char *name, const struct opener_file *f)
{
	unlinkat(*(int *)ctx, name, S_ISDIR(f->mode) ? AT_REMOVEDIR : 0);
	return 0;
}

static void read_repository(int dir, const struct repository_filter *filter)
{
	int fd = openat(dir, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct jfrec_repository *r =
		repository_of_directory(fd, "/tmp/2026_11_22_01_02_03_4711", filter, NULL);
	struct jfrec_reader *reader;

	if (!r)
		return;
	for (size_t i = 0; i < r->count; i++) {
		struct stat st;

		insist(fstat(r->chunks[i].fd, &st) == 0 && S_ISREG(st.st_mode),
		       "a chunk is a file");
		insist(!filter->own_names || name_is_own_chunk(r->chunks[i].name),
		       "a chunk has a name that a JVM gives");
	}
	sink += jfrec_repository_describe(r)->bytes;
	reader = jfrec_repository_read(r, NULL);
	jfrec_reader_close(reader);
	jfrec_repository_close(r);
}

static void read_links(const char *text)
{
	char path[PATH_MAX];
	uint32_t *groups;
	size_t count;
	bool deleted;

	snprintf(path, sizeof(path), "%s", text);
	if (name_parse_chunk_path(path, 4711, &deleted))
		insist(name_repository_pid(path) == 4711, "a repository is its JVM's");
	if (proc_status_groups(text, &groups, &count)) {
		for (size_t i = 0; i < count; i++)
			sink += groups[i];
		free(groups);
	}
}

void parse_repository(const uint8_t *bytes, size_t len)
{
	const struct repository_filter all = { 0 }, own = { .own_names = true, .most = 3 };
	char path[] = "/tmp/jfrec-fuzz-XXXXXX", *text = copy_of(bytes, len, 1);
	struct opener here = OPENER_HERE;
	int dir;

	read_links(text);
	free(text);
	insist(mkdtemp(path) != NULL, "a directory can be made");
	dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	fill(dir, bytes, len);
	read_repository(dir, &all);
	read_repository(dir, &own);
	opener_list(&here, dir, 1000, remove_entry, &dir, NULL);
	close(dir);
	rmdir(path);
}

/* A part of the text, if it is anything. */
static void insist_inside(struct reply_text part, const char *text, size_t len)
{
	insist(part.len <= len, "a part is not longer than the whole");
	insist(!part.len || (part.at >= text && part.at + part.len <= text + len),
	       "a part lies in the whole");
}

static void parse_answer(enum jfrec_jfr_command command, int status, const char *text, size_t len)
{
	struct reply r = reply_read(command, status, text, len);
	struct jfrec_error err;

	insist_inside(r.words, text, len);
	insist_inside(r.warnings, text, len);
	insist_inside(r.path, text, len);
	insist(status == 0 || !reply_is_success(&r), "a bad status is no success");
	insist(reply_is_success(&r) == (r.code == JFREC_OK), "a failure has a code");
	if (reply_is_success(&r))
		return;
	insist(reply_fail(command, &r, &err) == -1, "a failure fails");
	touch(err.text);
	insist(!strchr(err.text, '\n'), "a failure is one line");
}

static void parse_recordings(const char *text, size_t len)
{
	struct jfrec_jfr_recordings *list = recordings_read(text, len, NULL);

	for (size_t i = 0; list && i < jfrec_jfr_recordings_count(list); i++) {
		const struct jfrec_jfr_recording *r = jfrec_jfr_recordings_get(list, i);

		touch(r->name);
		touch(r->duration);
		touch(r->max_size);
		touch(r->max_age);
		touch(r->settings);
	}
	jfrec_jfr_recordings_free(list);
}

void parse_reply(const uint8_t *bytes, size_t len)
{
	char *text = copy_of(bytes, len, 1);
	struct jfrec_jvm_version version;

	for (int command = JFREC_JFR_START; command <= JFREC_JFR_CONFIGURE; command++) {
		parse_answer((enum jfrec_jfr_command)command, 0, text, len);
		parse_answer((enum jfrec_jfr_command)command, -1, text, len);
	}
	parse_recordings(text, len);
	if (reply_version(text, &version, NULL) == 0) {
		touch(version.version);
		touch(version.vm);
	}
	insist_inside(reply_value(text, "Repository path: "), text, len);
	free(text);
}

/* What is sent is one line, and its quotes are those that we put. */
static void parse_value(const char *value)
{
	struct command_text c;

	insist(command_text_begin(&c, "JFR.start", NULL) == 0, "there is memory");
	if (command_text_add(&c, "name", value, NULL) == 0) {
		char quote = c.text[15];

		insist(!strpbrk(c.text, "\n\r\t"), "a command is one line");
		if (quote == '"' || quote == '\'')
			insist(strchr(c.text + 16, quote) == c.text + c.len - 1,
			       "a quote ends at the end");
		else
			insist(!strpbrk(c.text + 10, " \"'"), "a plain value is one word");
	} else {
		insist(c.len == 9, "nothing is added of what is refused");
	}
	command_text_fini(&c);
}

void parse_option(const uint8_t *bytes, size_t len)
{
	static const char *const keys[] = { "name",  "duration", "maxage",     "maxsize",
					    "begin", "disk",	 "stackdepth", "filename" };
	char *text = copy_of(bytes, len, 1);
	int64_t amount;

	parse_value(text);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		struct jfrec_jfr_option o = { keys[i], text }, key = { text, "1" };

		for (int command = JFREC_JFR_START; command <= JFREC_JFR_CONFIGURE; command++) {
			jfr_option_check((enum jfrec_jfr_command)command, &o, 17, "17", NULL);
			jfr_option_check((enum jfrec_jfr_command)command, &key, 8, "8", NULL);
		}
	}
	if (jfr_parse_time(text, &amount))
		insist(amount >= 0, "no time is negative");
	if (jfr_parse_size(text, &amount))
		insist(amount >= 0, "no size is negative");
	free(text);
}

/* A reply comes in pieces of any size, and means the same. */
static void parse_pieces(const uint8_t *bytes, size_t len, size_t piece,
			 const struct wire_reply *whole, size_t whole_payload)
{
	struct wire_reply r = { 0 };
	size_t payload = 0, n;
	const uint8_t *at;

	for (size_t i = 0; i < len; i += piece) {
		wire_reply_take(&r, bytes + i, len - i < piece ? len - i : piece, &at, &n);
		insist(!n || at + n <= bytes + len, "the payload lies in the bytes");
		payload += n;
	}
	insist(r.state == whole->state && payload == whole_payload,
	       "pieces mean what the whole does");
	insist(r.state != WIRE_PAYLOAD || r.status == whole->status, "the status is the same");
}

/* What is sent is what was given, and no line feed can hide in it. */
static void parse_request(const char *text, int version)
{
	const char *const arguments[] = { text, "" };
	struct wire_request r;

	if (wire_request_init(&r, version, "jcmd", arguments, 2, NULL) < 0)
		return;
	insist(!memchr(r.bytes, '\n', r.len), "a request is one line");
	insist(r.len > strlen(text) && r.bytes[r.len - 1] == '\0', "a request has its argument");
	wire_request_fini(&r);
}

void parse_wire(const uint8_t *bytes, size_t len)
{
	uint8_t *copy = copy_of(bytes, len, 1);
	struct wire_reply whole = { 0 };
	const uint8_t *at;
	size_t n;

	wire_reply_take(&whole, copy, len, &at, &n);
	for (size_t piece = 1; piece < 16; piece += 2)
		parse_pieces(copy, len, piece, &whole, n);
	parse_request((const char *)copy, 1);
	parse_request((const char *)copy, 2);
	sink += (size_t)wire_version(whole.status, (const char *)at);
	free(copy);
}

/* Heap dumps ----------------------------------------------------------------------------------- */

/* It is read from a file, since it may be larger than memory. */
void parse_heap(const uint8_t *bytes, size_t len)
{
	int fd = memfd_create("heap", MFD_CLOEXEC);
	struct jfrec_error err = { 0 };
	uint64_t size = 0;

	insist(fd >= 0 && pwrite(fd, bytes, len, 0) == (ssize_t)len, "there is memory");
	if (heap_check(fd, &size, &err) < 0)
		insist(err.code == JFREC_ERESULT && *err.text, "it says what is wrong");
	insist(size == len, "the size is the file's");
	close(fd);
}

/* Settings ------------------------------------------------------------------------------------- */

static void touch_finding(void *ctx, const struct jfrec_settings_finding *finding)
{
	(void)ctx;
	touch(finding->event);
	touch(finding->setting);
	touch(finding->option);
	touch(finding->text);
	touch(finding->remedy);
}

static int append(void *ctx, const void *data, size_t len)
{
	buffer_put(ctx, data, len);
	return 0;
}

/* Each option is set to each of its choices. */
static void turn_options(struct jfrec_settings *s)
{
	size_t count = jfrec_settings_list(s, NULL) == 0 ? jfrec_settings_option_count(s) : 0;

	for (size_t i = 0; i < count && i < 16; i++) {
		const struct jfrec_settings_option *o = jfrec_settings_option_get(s, i);
		const char *name = o->name;

		touch(o->label);
		touch(o->value);
		/* A change empties the list, but the file keeps its names. */
		for (size_t k = 0; k < 4 && jfrec_settings_list(s, NULL) == 0; k++) {
			o = jfrec_settings_option_get(s, i);
			if (k < jfrec_settings_choice_count(o))
				jfrec_settings_set(s, name, jfrec_settings_choice_get(o, k)->name,
						   NULL);
		}
		jfrec_settings_set(s, name, "20ms", NULL);
		jfrec_settings_set(s, name, "true", NULL);
		insist(jfrec_settings_list(s, NULL) == 0 && jfrec_settings_option_count(s) == count,
		       "options stay");
	}
}

static size_t count_settings(struct jfrec_settings *s)
{
	insist(jfrec_settings_list(s, NULL) == 0, "there is memory");
	return jfrec_settings_count(s);
}

/* What was written can be read again, and has the same settings. */
static void write_and_read(struct jfrec_settings *s, enum jfrec_settings_format format)
{
	size_t count = count_settings(s);
	struct buffer b = { 0 };
	struct jfrec_settings *again;
	struct jfrec_error err;

	insist(jfrec_settings_write(s, format, append, &b, &err) == 0, "settings can be written");
	again = jfrec_settings_parse(b.data, b.len, &err);
	/* YAML is stricter: a .jfc file may have a default that is none of the choices. */
	insist(again || (format == JFREC_SETTINGS_YAML && err.code == JFREC_EINVAL) ||
		       b.len > (1u << 20),
	       "what was written can be read");
	insist(!again || count_settings(again) == count, "no setting is lost");
	jfrec_settings_free(again);
	buffer_fini(&b);
}

void parse_settings(const uint8_t *bytes, size_t len)
{
	void *copy = copy_of(bytes, len, 0);
	struct jfrec_error err;
	struct jfrec_settings *s = jfrec_settings_parse(copy, len, &err);

	free(copy);
	if (!s) {
		insist(strncmp(err.text, "line ", 5) == 0 || strncmp(err.text, "byte ", 5) == 0,
		       "what is wrong has a line");
		return;
	}
	jfrec_settings_check(s, 17, touch_finding, NULL, NULL);
	turn_options(s);
	jfrec_settings_put(s, "app.Event", "enabled", "true", NULL);
	insist(strcmp(jfrec_settings_value(s, "app.Event", "enabled"), "true") == 0 ||
		       count_settings(s) > 1,
	       "what was put is there");
	write_and_read(s, JFREC_SETTINGS_JFC);
	write_and_read(s, JFREC_SETTINGS_YAML);
	jfrec_settings_free(s);
}

/* The same, for the reader of .jfc files: other inputs are not looked at. */
void parse_jfc(const uint8_t *bytes, size_t len)
{
	if (len && bytes[0] == '<')
		parse_settings(bytes, len);
}

/* Views ---------------------------------------------------------------------------------------- */

static void read_views(const char *text)
{
	struct jfrec_error err = { 0 };
	struct jfrec_views *views = jfrec_views_parse(text, &err);

	if (!views) {
		insist(err.code == JFREC_EEXPRESSION && err.text[0], "a refusal says why");
		return;
	}
	for (size_t i = 0; i < jfrec_views_count(views); i++) {
		const struct jfrec_view *v = jfrec_views_get(views, i);

		touch(v->label);
		touch(v->query);
		insist(jfrec_views_find(views, v->name), "each view is found by its name");
	}
	jfrec_views_free(views);
}

void parse_views(const uint8_t *bytes, size_t len)
{
	static const char head[] = "[v]\nlabel = v\ntable = ";
	char *text = copy_of(bytes, len, 1), *query = malloc(sizeof(head) + strlen(text));

	if (!query)
		abort();
	strcat(strcpy(query, head), text);
	read_views(text);
	read_views(query);
	free(query);
	free(text);
}

/* Collecting ----------------------------------------------------------------------------------- */

/* What is taken can be used; nothing is looked for outside of the directory of seeds. */
void parse_collect(const uint8_t *bytes, size_t len)
{
	void *copy = copy_of(bytes, len, 0);
	struct jfrec_error err = { 0 };
	struct collect_config c;

	if (collect_config_parse(&c, copy, len, "/nowhere", &err) == 0) {
		insist(c.directory && *c.directory == '/', "a directory is a full path");
		insist(!strchr(c.name, '/') && *c.name != '.', "a name stays in it");
		insist(c.jvm_count > 0, "there are JVMs");
		insist(!c.run || *c.run[0] == '/', "a command is a full path");
		for (size_t i = 0; c.run && c.run[i]; i++)
			touch(c.run[i]);
		for (size_t i = 0; c.repositories && c.repositories[i]; i++)
			insist(*c.repositories[i] == '/', "a repository is a full path");
		for (size_t i = 0; i < c.jvm_count; i++)
			touch(c.jvms[i].settings);
		collect_config_fini(&c);
	} else {
		insist(err.code == JFREC_EINVAL, "what is refused is wrong");
		touch(err.text);
	}
	free(copy);
}

static void insist_on_name(const char *name)
{
	insist(*name, "a name is not empty");
	for (; *name; name++)
		insist((unsigned char)*name >= 0x20 && *name != 0x7f, "a name is one word");
}

/* Whatever others call their files, a state with it is read as the same, or has it not. */
static void parse_state_name(const uint8_t *bytes, size_t len)
{
	char *name = copy_of(bytes, len, 1), *text;
	struct state s = { 0 }, again;
	size_t n;
	bool has_chunk, has_file, is_plain;

	name[len] = '\0';
	has_chunk = state_add_chunk(&s, 1, 2, name, 3, NULL) == 0;
	has_file = state_add_file(&s, name, 4, 5, 6, FILE_DONE, NULL) == 0;
	is_plain = !strchr(name, '/') && *name != '.';
	insist(has_file == (has_chunk && is_plain), "what is no name is none anywhere");
	text = state_text(&s, &n);
	insist(text && state_parse(&again, text, n, NULL) == 0, "what is written is read");
	insist(again.bad_lines == 0 && again.chunk_count == s.chunk_count, "line by line");
	insist(!has_chunk || state_knows(&again, 1, 2, name, 3), "with the same name");
	insist(again.file_count == s.file_count, "and files, too");
	free(text);
	free(name);
	state_fini(&again);
	state_fini(&s);
}

/* What is read is written as what is read as the same. */
void parse_state(const uint8_t *bytes, size_t len)
{
	void *copy = copy_of(bytes, len, 0);
	struct state s, again;
	size_t n, m;

	if (state_parse(&s, copy, len, NULL) == 0) {
		char *text = state_text(&s, &n), *same;

		insist(text && state_parse(&again, text, n, NULL) == 0, "what is written is read");
		same = state_text(&again, &m);
		insist(same && n == m && memcmp(text, same, n) == 0, "as the same");
		for (size_t i = 0; i < s.file_count; i++)
			insist(!strchr(s.files[i].name, '/'), "a file stays in its directory");
		for (size_t i = 0; i < s.file_count; i++)
			insist_on_name(s.files[i].name);
		for (size_t i = 0; i < s.chunk_count; i++)
			insist_on_name(s.chunks[i].name);
		insist(again.bad_lines == 0, "without what made no sense");
		free(text);
		free(same);
		state_fini(&again);
	}
	state_fini(&s);
	free(copy);
	parse_state_name(bytes, len);
}

/* What is enough stays enough, and what it is does not change. */
void parse_http(const uint8_t *bytes, size_t len)
{
	char *copy = copy_of(bytes, len, 0);
	bool is_head, was_head = false;
	int status, before = 0;

	for (size_t n = 0; n <= len; n++) {
		char *piece = copy_of(copy, n, 0);

		status = http_request_status(piece, n, &is_head);
		http_request_names_this_host(piece, n);
		insist(status == 0 || status == 200 || (status >= 400 && status <= 431),
		       "a status");
		insist(!before || before == 431 || (status == before && is_head == was_head),
		       "more bytes change nothing");
		before = status;
		was_head = is_head;
		free(piece);
		n += n / 8; /* all short ones, and some of the longer */
	}
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	PARSE(bytes, len);
	return 0;
}
