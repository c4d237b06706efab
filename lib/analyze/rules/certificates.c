/* SPDX-License-Identifier: MIT */
/*
 * certificates.c - are certificates weak, or do they expire?
 */
#include "analyze/rules.h"
#include "base/idmap.h"

#define DAY_NS INT64_C(86400000000000)

static const char *const jmc[] = { "CryptoSecurityRule", NULL };

enum { CERTIFICATE, HANDSHAKE, VALIDATION };
enum { ID, ALGORITHM, KEY_TYPE, KEY_LENGTH, SUBJECT, UNTIL, ISSUER };

static const struct reads inputs[] = {
	READS("jdk.X509Certificate", OCCURS, "certificateId", "algorithm", "keyType", "keyLength",
	      "subject", "validUntil", "issuer"),
	READS("jdk.TLSHandshake", HELPS, "certificateId"),
	READS("jdk.X509Validation", HELPS, "certificateId", "certificatePosition"),
	{ 0 },
};

struct certificate {
	int64_t id, until_ns, seen_ns, key_length;
	uint32_t algorithm, key_type, subject, issuer;
};

#define MAX_CERTIFICATES 10000

struct state {
	struct certificate *list;
	size_t count, room;
	struct idmap known; /* ids of those */
	struct groups used; /* id */
};

static void take_certificate(struct state *s, const struct event *e)
{
	struct certificate c = {
		.id = event_long(e, ID),
		.until_ns = event_long(e, UNTIL),
		.seen_ns = e->start_ns,
		.key_length = event_long(e, KEY_LENGTH),
		.algorithm = event_text(e, ALGORITHM),
		.key_type = event_text(e, KEY_TYPE),
		.subject = event_text(e, SUBJECT),
		.issuer = event_text(e, ISSUER),
	};

	if (s->count == MAX_CERTIFICATES || idmap_get(&s->known, (uint64_t)c.id) != IDMAP_NONE)
		return;
	if (!idmap_put(&s->known, (uint64_t)c.id, 0) ||
	    !collect_push((void **)&s->list, &s->count, &s->room, &c, sizeof(c)))
		event_no_memory(e);
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	uint64_t id = (uint64_t)event_long(e, 0);

	if (e->input == CERTIFICATE)
		take_certificate(s, e);
	else
		groups_add(&s->used, e, (uint32_t[4]){ (uint32_t)id, (uint32_t)(id >> 32) }, 1,
			   NULL);
}

static void fini(void *state)
{
	struct state *s = state;

	collect_free(s->list);
	idmap_fini(&s->known);
	groups_fini(&s->used);
}

enum grade { FINE, SOON, WEAK };

/* A root signs itself: its signature proves nothing, whatever it is made with. */
static enum grade grade_of(const struct judging *j, const struct certificate *c, const char **why)
{
	const char *algorithm = text_at(j, c->algorithm), *key = text_at(j, c->key_type);
	bool is_root = c->subject == c->issuer;

	if (!is_root && (strcasestr(algorithm, "MD2") || strcasestr(algorithm, "MD5") ||
			 strcasestr(algorithm, "SHA1"))) {
		*why = textf((struct judging *)j, "signed with %s", algorithm);
		return WEAK;
	}
	if (c->key_length > 0 && ((strcasecmp(key, "RSA") == 0 && c->key_length < 2048) ||
				  (strcasecmp(key, "DSA") == 0 && c->key_length < 2048) ||
				  (strcasecmp(key, "EC") == 0 && c->key_length < 224))) {
		*why = textf((struct judging *)j, "a key of %lld bits", (long long)c->key_length);
		return WEAK;
	}
	if (c->until_ns > 0 && c->until_ns < c->seen_ns) {
		*why = "it has expired";
		return WEAK;
	}
	if (c->until_ns > 0 && c->until_ns - c->seen_ns < 30 * DAY_NS) {
		*why = "it expires within 30 days";
		return SOON;
	}
	return FINE;
}

static bool is_used(const struct state *s, int64_t id)
{
	return groups_find(&s->used, (uint32_t[4]){ (uint32_t)(uint64_t)id,
						    (uint32_t)((uint64_t)id >> 32) }) != NULL;
}

static void judge(void *state, struct judging *j)
{
	const struct state *s = state;
	const char *why = NULL, *first_why = NULL, *first = NULL;
	size_t weak = 0, used = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct certificate *c = &s->list[i];
		enum grade g = grade_of(j, c, &why);
		bool in_use = is_used(s, c->id);

		if (g == FINE)
			continue;
		weak++;
		judge_at_least(j, g == WEAK && in_use ? JFREC_SEVERITY_WARNING
						      : JFREC_SEVERITY_INFO);
		if (!first || (in_use && !used)) {
			first = text_at(j, c->subject);
			first_why = why;
		}
		used += in_use;
		show_name(j, JFREC_EVIDENCE_NOTE, textf(j, "%s, %s", why, in_use ? "used" : "not used"),
			  text_at(j, c->subject), NAN);
	}
	if (!weak) {
		summarize(j, "%zu certificate%s of sufficient strength", s->count,
			  plural((double)s->count));
		return;
	}
	summarize(j, "%zu of %zu certificates are weak or expire, %zu of them in use; %s: %s", weak,
		  s->count, used, first, first_why);
	show_command(j, "print --events jdk.X509Certificate");
}

const struct rule rule_certificates = {
	.info = {
		.id = "certificates",
		.jmc = jmc,
		.question = "Are certificates weak, or do they expire?",
		.matters = "Connections fail from the day on which a certificate expires. A "
			   "weak one can be forged.",
		.computes = "Looks at the certificates that were read (jdk.X509Certificate): signatures "
			    "with MD2, MD5 or SHA-1, RSA keys below 2048 bits, the end of their time, "
			    "as of the recording. It is a warning if a TLS connection or a validation "
			    "used the certificate.",
		.advice = "Replace the certificate",
		.beware = "The events are off in the JDK's settings. The signature of a root "
			  "certificate does not matter.",
		.differs = "JDK Mission Control compares with today's date, and warns of certificates "
			   "that lie in the JDK's own list.",
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
