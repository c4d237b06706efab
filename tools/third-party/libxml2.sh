# The parser that is fed piece by piece (lib/settings/jfc_read.c), safe for several threads.
build_libxml2()
{
	sed -e "s/@VERSION@/$version/; s/@LIBXML_VERSION_NUMBER@/20914/; s/@LIBXML_VERSION_EXTRA@//" \
		-e 's/@WITH_\(PUSH\|THREADS\|SAX1\|ISO8859X\)@/1/; s/@WITH_[A-Z0-9_]*@/0/' \
		-e 's/@MODULE_EXTENSION@//' include/libxml/xmlversion.h.in >include/libxml/xmlversion.h
	cat >config.h <<-END
		#define HAVE_CTYPE_H 1
		#define HAVE_ERRNO_H 1
		#define HAVE_FCNTL_H 1
		#define HAVE_FLOAT_H 1
		#define HAVE_INTTYPES_H 1
		#define HAVE_LIMITS_H 1
		#define HAVE_MATH_H 1
		#define HAVE_PTHREAD_H 1
		#define HAVE_SNPRINTF 1
		#define HAVE_STAT 1
		#define HAVE_STDARG_H 1
		#define HAVE_STDINT_H 1
		#define HAVE_STDLIB_H 1
		#define HAVE_STRING_H 1
		#define HAVE_SYS_STAT_H 1
		#define HAVE_SYS_TYPES_H 1
		#define HAVE_TIME_H 1
		#define HAVE_UNISTD_H 1
		#define HAVE_VA_COPY 1
		#define HAVE_VSNPRINTF 1
		#define VA_LIST_IS_ARRAY 1
		#define XML_SOCKLEN_T socklen_t
	END
	archive xml2 '-DHAVE_CONFIG_H -I. -Iinclude' SAX.c SAX2.c buf.c chvalid.c dict.c encoding.c \
		entities.c error.c globals.c hash.c list.c parser.c parserInternals.c threads.c tree.c \
		uri.c valid.c xlink.c xmlIO.c xmlmemory.c xmlstring.c
	cp -R include/libxml "$prefix/include/"
	describe libxml-2.0 "$version" -lxml2
}
