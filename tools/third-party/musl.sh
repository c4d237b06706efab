# Of it only what looks at texts. In the C library that the compiler brings, zig's own functions of
# these names have taken the place of musl's; most of them look for the end of the text first, and
# all go byte by byte.
build_musl()
{
	cd src/string
	archive string '-std=c99 -ffreestanding -fno-builtin -D_XOPEN_SOURCE=700 -I../include -I../internal
		-I../../include' memchr.c memrchr.c strchr.c strchrnul.c strcspn.c strlen.c strnlen.c \
		strpbrk.c strrchr.c strspn.c strstr.c
}
