# Of it only what it has of gnulib: the regular expressions of glibc. Those of musl unfold each
# repetition, for which the rules of lib/scrub would take half a second and 90 MB.
build_augeas()
{
	cd gnulib/lib
	cat >config.h <<-END
		#define GNULIB_PTHREAD 1
		#define HAVE_DECL_ISBLANK 1
		#define HAVE_ISBLANK 1
		#define _GL_ATTRIBUTE_FALLTHROUGH __attribute__((fallthrough))
		#define _GNU_SOURCE 1
		#include <stdbool.h>
	END
	archive regex '-DHAVE_CONFIG_H -I.' regex.c malloc/dynarray_resize.c
	offer_instead regex.h
}
