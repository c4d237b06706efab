build_lz4()
{
	cd lib
	archive lz4 -DXXH_NAMESPACE=LZ4_ lz4.c lz4frame.c lz4hc.c xxhash.c
	offer lz4.h lz4frame.h lz4hc.h
	describe liblz4 "$version" -llz4
}
