build_jansson()
{
	cd src
	sed 's/@json_inline@/inline/; s/@json_[a-z_]*@/1/' jansson_config.h.in >jansson_config.h
	cat >jansson_private_config.h <<-END
		#define HAVE_ATOMIC_BUILTINS 1
		#define HAVE_CLOSE 1
		#define HAVE_ENDIAN_H 1
		#define HAVE_FCNTL_H 1
		#define HAVE_GETPID 1
		#define HAVE_GETTIMEOFDAY 1
		#define HAVE_LOCALECONV 1
		#define HAVE_LOCALE_H 1
		#define HAVE_LONG_LONG_INT 1
		#define HAVE_OPEN 1
		#define HAVE_READ 1
		#define HAVE_SCHED_H 1
		#define HAVE_SCHED_YIELD 1
		#define HAVE_STDINT_H 1
		#define HAVE_STRTOLL 1
		#define HAVE_SYNC_BUILTINS 1
		#define HAVE_SYS_PARAM_H 1
		#define HAVE_SYS_STAT_H 1
		#define HAVE_SYS_TIME_H 1
		#define HAVE_SYS_TYPES_H 1
		#define HAVE_UNISTD_H 1
		#define HAVE_UNSIGNED_LONG_LONG_INT 1
		#define INITIAL_HASHTABLE_ORDER 3
		#define USE_URANDOM 1
	END
	archive jansson "-DHAVE_CONFIG_H -I." \
		dump.c error.c hashtable.c hashtable_seed.c load.c memory.c pack_unpack.c strbuffer.c \
		strconv.c utf.c value.c version.c
	offer jansson.h jansson_config.h
	describe jansson "$version" -ljansson
}
