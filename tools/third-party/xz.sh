# Only what decompresses, and no threads.
build_xz()
{
	cd src/liblzma
	decoders=
	for d in LZMA1 LZMA2 DELTA X86 ARM ARM64 ARMTHUMB POWERPC IA64 SPARC RISCV; do
		decoders="$decoders -DHAVE_DECODER_$d"
	done
	archive lzma "-DHAVE_STDBOOL_H -DHAVE_STDINT_H -DHAVE_INTTYPES_H -DHAVE_VISIBILITY=0
		-DHAVE_CHECK_CRC32 -DHAVE_CHECK_CRC64 -DHAVE_CHECK_SHA256 -DHAVE_DECODERS $decoders
		-DTUKLIB_SYMBOL_PREFIX=lzma_ -DHAVE___BUILTIN_BSWAPXX -DTUKLIB_FAST_UNALIGNED_ACCESS
		-I../common -Iapi -Icommon -Icheck -Idelta -Ilz -Ilzma -Irangecoder -Isimple" \
		check/check.c check/crc32_fast.c check/crc64_fast.c check/sha256.c \
		common/block_decoder.c common/block_header_decoder.c common/block_util.c common/common.c \
		common/filter_common.c common/filter_decoder.c common/filter_flags_decoder.c \
		common/index_hash.c common/stream_decoder.c common/stream_flags_common.c \
		common/stream_flags_decoder.c common/vli_decoder.c common/vli_size.c \
		delta/delta_common.c delta/delta_decoder.c lz/lz_decoder.c \
		lzma/lzma2_decoder.c lzma/lzma_decoder.c \
		simple/arm.c simple/arm64.c simple/armthumb.c simple/ia64.c simple/powerpc.c simple/riscv.c \
		simple/simple_coder.c simple/simple_decoder.c simple/sparc.c simple/x86.c
	cp -R api/lzma.h api/lzma "$prefix/include/"
	describe liblzma "$version" -llzma
}
