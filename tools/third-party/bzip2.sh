build_bzip2()
{
	archive bz2 '' blocksort.c bzlib.c compress.c crctable.c decompress.c huffman.c \
		randtable.c
	offer bzlib.h
}
