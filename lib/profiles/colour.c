/* SPDX-License-Identifier: MIT */
/*
 * colour.c - the colours of frames
 */
#include "profiles/colour.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "page/markup.h"
#include "stacks/frames.h"

/*
 * Hue, saturation and lightness: kinds can be told apart without colour, too. As in page/script.js.
 */
static const struct {
	int hue, saturation, lightness;
} colours[FRAME_KINDS] = {
	[FRAME_INTERPRETED] = { 45, 30, 78 }, [FRAME_JIT] = { 37, 78, 74 },
	[FRAME_INLINED] = { 56, 62, 74 },     [FRAME_NATIVE] = { 203, 58, 76 },
	[FRAME_CPP] = { 14, 72, 78 },	      [FRAME_KERNEL] = { 322, 42, 82 },
	[FRAME_C1] = { 50, 50, 80 },	      [FRAME_CLASS] = { 158, 36, 76 },
	[FRAME_THREAD] = { 222, 20, 86 },     [FRAME_NOTE] = { 0, 0, 88 },
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

void colour_put(struct out *out, unsigned kind, const char *name)
{
	uint32_t shade = package_hash(name);
	int hue, saturation, lightness;
	char text[64];

	if (kind >= FRAME_KINDS)
		kind = FRAME_NOTE;
	hue = (colours[kind].hue + (int)(shade % 19) - 9 + 360) % 360;
	saturation = colours[kind].saturation;
	lightness = colours[kind].lightness + (int)((shade >> 8) % 11) - 5;
	snprintf(text, sizeof(text), "#%02x%02x%02x", part_of(0, hue, saturation, lightness),
		 part_of(8, hue, saturation, lightness), part_of(4, hue, saturation, lightness));
	markup_put(out, text);
}
