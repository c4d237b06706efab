/* SPDX-License-Identifier: MIT */
/*
 * mcp.c - jfrec mcp: answer an assistant's questions about recordings and JVMs
 */
#include "mcp/options.h"

#include <stdio.h>

#include "base/command.h"
#include "base/report.h"
#include "base/stdout.h"
#include "mcp/pages.h"

#define MIN_REPLY 4096

/* clang-format off */
static const struct opt opts[] = {
	OPT_ONCE(0, "root", "DIR", "read recordings beneath DIR, and no other files", struct mcp_options, root),
	OPT_FLAG(0, "live", "also talk to JVMs: list, doctor, threads", struct mcp_options, live),
	OPT_ONCE(0, "out", "DIR", "with --live: record and dump into DIR", struct mcp_options, out),
	OPT_SIZE(0, "max-disk", "SIZE", "with --out: what DIR may have (default: 1G)", struct mcp_options, max_disk),
	OPT_SIZE(0, "max-reply", "SIZE", "bytes of a reply (default: 24k)", struct mcp_options, max_reply),
	OPT_DURATION(0, "max-time", "TIME", "end a call after this time (default: 10s)", struct mcp_options, max_time_ns),
	OPT_ONCE(0, "salt", "TEXT", "make tokens for secrets that are the same again", struct mcp_options, salt),
	OPT_ONCE(0, "log", "FILE", "append a line of JSON for each call to FILE", struct mcp_options, log),
	OPT_FLAG(0, "skill", "print how to use the tools, for an assistant", struct mcp_options, skill),
	{ 0 },
};
/* clang-format on */

static int print_skill(void)
{
	fputs(pages_skill(), stdout);
	return finish_stdout();
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct mcp_options o = { .max_reply = 24 * 1024, .max_disk = UINT64_C(1) << 30,
				 .max_time_ns = INT64_C(10000000000) };

	if (!opt_parse(&p, &o))
		return p.status;
	if (argc > p.first_operand)
		return report_usage(self, "there are no operands; --root names the directory of recordings");
	if (o.skill)
		return print_skill();
	if (!o.root && !o.live)
		return report_usage(self, "give --root DIR, --live, or both");
	if (o.out && !o.live)
		return report_usage(self, "--out is where JVMs are recorded to, with --live");
	if (o.max_reply < MIN_REPLY)
		return report_usage(self, "--max-reply takes at least 4k");
	return mcp_serve(&o);
}

const struct command cmd_mcp = {
	.name = "mcp",
	.args = "--root DIR",
	.examples = "  jfrec mcp --root .\n"
		    "  jfrec mcp --skill\n",
	.summary = "let an assistant ask recordings and JVMs",
	.about =
		"Serve the Model Context Protocol on standard input and output, so that an\n"
		"assistant can ask recordings beneath DIR: what is wrong, which methods are hot,\n"
		"any view or query.  It reads only, unless --live and --out allow more.  Secrets\n"
		"are redacted before any question sees them.  jfrec-mcp(1) has the lines with\n"
		"which an assistant is configured.",
	.opts = opts,
	.run = run,
};
