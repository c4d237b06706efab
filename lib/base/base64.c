/* SPDX-License-Identifier: MIT */
/*
 * base64.c - encode and decode Base64
 */
#include "base/base64.h"

static const char letters_of_all[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

char base64_letter(unsigned six, bool for_urls)
{
	static const char last[][2] = { { '+', '/' }, { '-', '_' } };

	return six < 62 ? letters_of_all[six] : last[for_urls][six - 62];
}

int base64_bits(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

size_t base64_decode(const char *letters, size_t len, uint8_t *to)
{
	uint32_t word = 0;
	unsigned bits = 0;
	size_t n = 0;

	for (size_t i = 0; i < len && base64_bits(letters[i]) >= 0; i++) {
		word = word << 6 | (uint32_t)base64_bits(letters[i]);
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			to[n++] = (uint8_t)(word >> bits);
		}
	}
	return n;
}
