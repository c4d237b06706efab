build_zlib()
{
	archive z '-DHAVE_UNISTD_H -DHAVE_STDARG_H -D_LARGEFILE64_SOURCE=1' \
		adler32.c compress.c crc32.c deflate.c infback.c inffast.c inflate.c inftrees.c trees.c \
		uncompr.c zutil.c
	offer zlib.h zconf.h
	describe zlib "$version" -lz
}
