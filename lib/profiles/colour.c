/* SPDX-License-Identifier: MIT */
/*
 * colour.c - the colours of frames
 */
#include "profiles/colour.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/code_owner.h"
#include "page/markup.h"
#include "stacks/frames.h"

/*
 * Hue, saturation and lightness, as in page/graph.js: of Java whose code it is, so that one's own
 * stands out; else the kind. Lightness alone tells the owners apart.
 */
struct shade {
	int hue, saturation, lightness;
};

static const struct shade of_owner[] = {
	[OWNER_APPLICATION] = { 28, 85, 68 },
	[OWNER_LIBRARY] = { 50, 62, 79 },
	[OWNER_JDK] = { 212, 22, 87 },
};

static const struct shade of_kind[FRAME_KINDS] = {
	[FRAME_NATIVE] = { 203, 58, 72 }, [FRAME_CPP] = { 344, 60, 80 },
	[FRAME_KERNEL] = { 300, 36, 78 }, [FRAME_CLASS] = { 158, 36, 76 },
	[FRAME_THREAD] = { 262, 30, 88 }, [FRAME_NOTE] = { 0, 0, 88 },
};

/* FNV-1a of the package: what is before the last two names. */
static uint32_t package_hash(const char *name)
{
	const char *method = strrchr(name, '.');
	const char *class = method ? memrchr(name, '.', (size_t)(method - name)) : NULL;
	const char *end = class && class > name ? class : name + strlen(name);
	uint32_t h = 2166136261u;

	for (; name < end; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	return h;
}

/* Red, green or blue of a colour, 0 to 255: `at` is 0, 8 or 4. */
static unsigned part_of(int at, int hue, int saturation, int lightness)
{
	double k = fmod(at + hue / 30.0, 12), low = k - 3 < 9 - k ? k - 3 : 9 - k;
	double l = lightness / 100.0, a = saturation / 100.0 * (l < 0.5 ? l : 1 - l);

	low = low > 1 ? 1 : low < -1 ? -1 : low;
	return (unsigned)lround(255 * (l - a * low));
}

static bool is_java(unsigned kind)
{
	return kind == FRAME_INTERPRETED || kind == FRAME_JIT || kind == FRAME_INLINED ||
	       kind == FRAME_C1;
}

static char *put_hex(char *at, unsigned byte)
{
	static const char digits[] = "0123456789abcdef";

	*at++ = digits[byte >> 4 & 15];
	*at++ = digits[byte & 15];
	return at;
}

void colour_put(struct out *out, unsigned kind, const char *name)
{
	uint32_t shade = package_hash(name);
	const struct shade *base = is_java(kind) ? &of_owner[code_owner(name)]
						 : &of_kind[kind < FRAME_KINDS ? kind : FRAME_NOTE];
	int hue = (base->hue + (int)(shade % 13) - 6 + 360) % 360, saturation = base->saturation;
	int lightness = base->lightness + (int)((shade >> 8) % 7) - 3;
	char text[sizeof("#rrggbb")] = "#", *at = text + 1;

	at = put_hex(at, part_of(0, hue, saturation, lightness));
	at = put_hex(at, part_of(8, hue, saturation, lightness));
	at = put_hex(at, part_of(4, hue, saturation, lightness));
	*at = '\0';
	markup_put(out, text);
}
