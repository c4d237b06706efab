/* SPDX-License-Identifier: MIT */
/*
 * tls.c - are connections made with a TLS that is too old, or too weak?
 */
#include "analyze/rules.h"

enum { HOST, PORT, VERSION, CIPHER };

static const struct reads inputs[] = {
	READS("jdk.TLSHandshake", OCCURS, "peerHost", "peerPort", "protocolVersion", "cipherSuite"),
	{ 0 },
};

struct state {
	struct groups peers; /* host, port, version, cipher */
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	uint32_t key[4] = { event_text(e, HOST), (uint32_t)event_long(e, PORT),
			    event_text(e, VERSION), event_text(e, CIPHER) };

	groups_add(&s->peers, e, key, 1, NULL);
}

static void fini(void *state)
{
	groups_fini(&((struct state *)state)->peers);
}

static bool is_old(const char *version)
{
	return strcmp(version, "SSLv3") == 0 || strcmp(version, "TLSv1") == 0 ||
	       strcmp(version, "TLSv1.1") == 0 || strcmp(version, "SSLv2Hello") == 0;
}

/* Without encryption, without knowing the other side, or broken. */
static bool is_broken(const char *cipher)
{
	static const char *const words[] = { "_NULL_", "_anon_", "_RC4_", "_DES_", "_3DES_",
					     "EXPORT" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strstr(cipher, words[i]))
			return true;
	}
	return false;
}

/* No forward secrecy, or a mode that has been attacked. */
static bool is_weak(const char *cipher)
{
	return strncmp(cipher, "TLS_RSA_", strlen("TLS_RSA_")) == 0 || strstr(cipher, "_CBC_");
}

/* 0: it is fine; 1: weak; 2: broken or too old */
static int badness(const struct judging *j, const struct group *g)
{
	if (is_old(text_at(j, g->key[2])) || is_broken(text_at(j, g->key[3])))
		return 2;
	return is_weak(text_at(j, g->key[3]));
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	const struct group *worst = NULL;
	unsigned shown = 0, bad = 0;

	groups_sort(&s->peers);
	for (uint32_t i = 0; i < s->peers.count; i++) {
		const struct group *g = &s->peers.list[i];
		int b = badness(j, g);

		if (!b)
			continue;
		bad++;
		worst = !worst || b > badness(j, worst) ? g : worst;
		judge_at_least(j, b == 2 ? JFREC_SEVERITY_WARNING : JFREC_SEVERITY_INFO);
		if (shown++ < 5)
			show_name(j, JFREC_EVIDENCE_HOST,
				  textf(j, "%s with %s, %s times", text_at(j, g->key[2]),
					text_at(j, g->key[3]), count_text(j, (double)g->count)),
				  textf(j, "%s:%u", text_at(j, g->key[0]), g->key[1]), NAN);
	}
	if (!worst) {
		summarize(j, "All %s handshakes were of TLS 1.2 or later, with strong ciphers",
			  count_text(j, (double)groups_count(&s->peers)));
		return;
	}
	summarize(j, "%u kind%s of handshake %s weak: %s with %s, peer %s:%u", bad, plural(bad),
		  bad == 1 ? "is" : "are", text_at(j, worst->key[2]), text_at(j, worst->key[3]),
		  text_at(j, worst->key[0]), worst->key[1]);
	show_command(j, "print --events jdk.TLSHandshake");
}

const struct rule rule_tls = {
	.info = {
		.id = "tls",
		.question = "Are connections made with a TLS that is too old, or too weak?",
		.matters = "Old protocols and weak ciphers can be broken, so that others can "
			   "read or change what is sent.",
		.computes = "Looks at each jdk.TLSHandshake. SSLv3, TLS 1.0 and 1.1, and ciphers with "
			    "NULL, anon, RC4, DES or EXPORT are a warning; CBC modes and ciphers "
			    "without forward secrecy are info.",
		.advice = "Upgrade the peer to TLS 1.3, or at least to 1.2 with AES-GCM",
		.beware = "The event is off by default (`jfrec start --settings security-audit`).",
		.jdk_from = 11,
	},
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
