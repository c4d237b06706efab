/* SPDX-License-Identifier: MIT */
/*
 * scrub_rules.c - what the configuration wants redacted
 */
#include "opts/scrub_rules.h"

#include "base/config.h"
#include "base/report.h"

int scrub_rules_failure(const char *path, const struct jfrec_error *err)
{
	say(path, failure_text(err));
	return err->code == JFREC_EINVAL ? EXIT_USAGE : EXIT_FAILED;
}

int scrub_rules_of_config(struct jfrec_scrub_rules *rules, bool *hosts, bool *paths)
{
	const struct config_value *files;
	const struct config_values *config;
	struct jfrec_error err;
	int status = config_get(&config);

	if (status != EXIT_DONE)
		return status;
	files = config_values_get(config, CONFIG_RULES);
	for (size_t i = 0; i < files->count; i++) {
		if (jfrec_scrub_rules_load(rules, files->texts[i], &err) < 0)
			return scrub_rules_failure(files->texts[i], &err);
	}
	*hosts |= config_flag(config, CONFIG_REDACT_HOSTS);
	*paths |= config_flag(config, CONFIG_REDACT_PATHS);
	return EXIT_DONE;
}

int scrub_rules_add_sets(struct jfrec_scrub_rules *rules, bool hosts, bool paths,
			 struct jfrec_error *err)
{
	if ((paths && jfrec_scrub_rules_add(rules, "paths", err) < 0) ||
	    (hosts && jfrec_scrub_rules_add(rules, "hosts", err) < 0))
		return -1;
	return jfrec_scrub_rules_add(rules, "default", err);
}
