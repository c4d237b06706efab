/* SPDX-License-Identifier: MIT */
/*
 * secrets.c - does the recording hold passwords or tokens?
 *
 * Only names are printed, never what they stand for.
 */
#include "analyze/rules.h"
#include "scrub/placeholder.h"
#include "scrub/secret_name.h"

static const char *const jmc[] = { "PasswordsInArguments", "PasswordsInEnvironment",
				   "PasswordsInSystemProperties", NULL };

enum { PROPERTY, VARIABLE, JVM, PROCESS };
enum { KEY, VALUE };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.InitialSystemProperty", PERIODIC, "key", "value"),
	READS_EITHER(1, "jdk.InitialEnvironmentVariable", PERIODIC, "key", "value"),
	READS_EITHER(1, "jdk.JVMInformation", PERIODIC, "jvmArguments", "javaArguments"),
	READS("jdk.SystemProcess", HELPS, "commandLine"),
	READS("jdk.ProcessStart", HELPS, "command"),
	{ 0 },
};

/* Where a name was found, and whether it looks like a secret or like what has to do with one. */
struct state {
	struct groups found; /* name, input, doubtful */
};

static bool has(const char *text, const char *part)
{
	return strcasestr(text, part) != NULL;
}

/* Files, encoders and policies of passwords are not passwords. */
static bool is_about_passwords(const char *name)
{
	static const char *const words[] = { "file",   "encoder", "policy", "length", "passworld",
					     "passwise", "prompt",  "expir",  "path",   "timeout" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (has(name, words[i]))
			return true;
	}
	return false;
}

/*
 * PWD is the working directory, which every process that a shell starts has; --password-store is
 * where Chromium keeps passwords.
 */
static bool is_secret_name(const char *name)
{
	if (has(name, "passworld") || has(name, "passwise") || has(name, "password-store") ||
	    strcmp(name, "PWD") == 0 || strcmp(name, "OLDPWD") == 0)
		return false;
	return has(name, "passw") || name_is_secret(name);
}

/* Names that end so are of sessions, programs that ask, and switches: no secret by their name. */
static bool is_of_session(const char *name)
{
	return has(name, "session") || has(name, "askpass") || has(name, "activation_token") ||
	       has(name, "need.client.auth") || has(name, "want.client.auth") || has(name, "secretar");
}

static bool is_number(const char *value)
{
	return strspn(value, "0123456789.,:-+") == strlen(value);
}

/* 8-4-4-4-12 hexadecimal digits. */
static bool is_uuid(const char *value)
{
	size_t n = strlen(value);

	return n == 36 && strspn(value, "0123456789abcdefABCDEF-") == n && value[8] == '-' &&
	       value[13] == '-' && value[18] == '-' && value[23] == '-';
}

/* Does the value look like none, whatever it is called? A password may be a number or a word. */
static bool is_harmless(const char *name, const char *value)
{
	if (text_is_password_name(name, strlen(name)) || has(name, "passw"))
		return false;
	return is_of_session(name) || is_number(value) || is_uuid(value) ||
	       is_path(value, strlen(value)) || is_template(value, strlen(value));
}

static bool is_hidden_value(const char *value)
{
	return !*value || strncmp(value, "ENC(", 4) == 0 || strncmp(value, "${", 2) == 0 ||
	       strcmp(value, "[REDACTED]") == 0 || strspn(value, "*") == strlen(value) ||
	       strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
}

static void note(struct state *s, const struct event *e, const char *name, const char *value)
{
	char shown[128];
	bool doubtful;

	if (!is_secret_name(name) || is_harmless(name, value))
		return;
	if (strcmp(value, "[REDACTED]") == 0)
		return;
	doubtful = is_about_passwords(name) || is_hidden_value(value) ||
		   is_path(value, strlen(value)) || text_is_about_secrets(name, strlen(name));
	snprintf(shown, sizeof(shown), "%s", name);
	groups_add(&s->found, e, (uint32_t[4]){ event_put_text(e, shown), e->input, doubtful }, 1,
		   NULL);
}

/* Words such as -Dname=value, --name=value, name=value; of others there is nothing to print. */
static void note_words(struct state *s, const struct event *e, const char *text)
{
	char name[128], value[512];

	while (*text) {
		size_t len = strcspn(text, " \t"), n = strcspn(text, "= \t");
		const char *begin = text + strspn(text, "-");

		if (strncmp(begin, "D", 1) == 0 && text[0] == '-' && begin == text + 1)
			begin++;
		if (n < len && (size_t)(begin - text) < n &&
		    n - (size_t)(begin - text) < sizeof(name)) {
			memcpy(name, begin, n - (size_t)(begin - text));
			name[n - (size_t)(begin - text)] = '\0';
			snprintf(value, sizeof(value), "%.*s", len > n ? (int)(len - n - 1) : 0,
				 text + n + 1);
			note(s, e, name, value);
		}
		text += len;
		text += strspn(text, " \t");
	}
}

/* What is found here is shown nowhere. */
static void learn(const struct event *e)
{
	static const char *const fields[] = { "value", "value", "jvmArguments", "commandLine", "command" };

	if (e->input == PROPERTY || e->input == VARIABLE)
		event_learn_secrets(e, inputs[e->input].type, fields[e->input],
				    event_text_of(e, event_text(e, KEY)),
				    event_text_of(e, event_text(e, VALUE)));
	else
		event_learn_secrets(e, inputs[e->input].type, fields[e->input], NULL,
				    event_text_of(e, event_text(e, 0)));
	if (e->input == JVM)
		event_learn_secrets(e, inputs[JVM].type, "javaArguments", NULL,
				    event_text_of(e, event_text(e, 1)));
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	learn(e);
	if (e->input == PROPERTY || e->input == VARIABLE) {
		/* The command line is there, too, as one property. */
		if (strcmp(event_text_of(e, event_text(e, KEY)), "sun.java.command") != 0)
			note(s, e, event_text_of(e, event_text(e, KEY)),
			     event_text_of(e, event_text(e, VALUE)));
		return;
	}
	note_words(s, e, event_text_of(e, event_text(e, 0)));
	if (e->input == JVM)
		note_words(s, e, event_text_of(e, event_text(e, 1)));
}

static void fini(void *state)
{
	groups_fini(&((struct state *)state)->found);
}

static void judge(void *state, struct judging *j)
{
	static const char *const places[] = { "system property", "environment variable",
					      "argument", "command line of a process",
					      "command line of a process that was started" };
	struct state *s = state;
	uint32_t sure = 0;

	groups_sort(&s->found);
	for (uint32_t i = 0; i < s->found.count; i++)
		sure += !s->found.list[i].key[2];
	judge_by(j, (double)sure);
	if (!s->found.count) {
		summarize(j, "No name with its value looks like a secret");
		return;
	}
	judge_at_least(j, JFREC_SEVERITY_INFO);
	if (sure)
		summarize(j, "The recording has %u value%s whose names are those of secrets", sure,
			  plural(sure));
	else
		summarize(j, "The recording has %u name%s that resemble%s secrets; probably none is "
			     "one",
			  s->found.count, plural(s->found.count), s->found.count == 1 ? "s" : "");
	for (uint32_t i = 0; i < s->found.count && i < 20; i++) {
		const struct group *g = &s->found.list[i];

		if (!sure || !g->key[2])
			show_name(j, JFREC_EVIDENCE_SETTING, places[g->key[1]],
				  text_at(j, g->key[0]), NAN);
	}
	show_command(j, "scrub --dry-run");
}

const struct rule rule_secrets = {
	.info = {
		.id = "secrets",
		.jmc = jmc,
		.question = "Does the recording hold passwords or tokens?",
		.matters = "Recordings are sent to colleagues, vendors and public issue "
			   "trackers, with all passwords of command lines and variables.",
		.computes = "Compares names of system properties, environment variables and arguments "
			    "with words such as password, secret, token and key. What is not called a "
			    "password is left out if its value is a number, a UUID or a path, or if "
			    "it names a session. What only has to do with passwords, such as the "
			    "name of a file, is info.",
		.measures = "values whose names are those of secrets",
		.unit = JFREC_UNIT_NONE,
		.info = 1,
		.warning = 1,
		.advice = "`jfrec scrub RECORDING -o scrubbed.jfr` writes a recording without them; pass secrets "
			  "in files, not in arguments",
		.beware = "Values are never printed. A secret with a harmless name is not found.",
		.differs = "JDK Mission Control looks for the letters passw only, and not into the "
			   "arguments of the JVM.",
	},
	.about = ABOUT_EXPOSURE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
