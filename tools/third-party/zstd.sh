build_zstd()
{
	cd lib
	archive zstd '-DZSTD_LEGACY_SUPPORT=0 -DZSTD_DISABLE_ASM -DXXH_NAMESPACE=ZSTD_' \
		common/*.c compress/*.c decompress/*.c
	offer zstd.h zstd_errors.h
	describe libzstd "$version" -lzstd
}
