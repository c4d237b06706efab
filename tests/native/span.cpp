/* SPDX-License-Identifier: MIT */
/* span.cpp - spans that end with their scope: 10 return, 5 throw, 3 are dropped */
#include <string>

#include <jfrec-recorder.h>

#define STEP(F) F(STRING, how, "How", PLAIN) F(INT, number, "Number", PLAIN)
JFREC_SPAN_EVENT(step, "spans.Step", "Step", "Spans", STEP)

static void one(int number)
{
	std::string how = "returned";
	jfrec::span span(step_begin(), [&](uint64_t begin) { step_end(begin, how.c_str(), number); });

	if (number >= 15)
		span.drop();
	if (number >= 10 && number < 15) {
		how = "thrown";
		throw number;
	}
}

int main()
{
	for (int i = 0; i < 18; i++) {
		try {
			one(i);
		} catch (int) {
		}
	}
	return 0;
}
