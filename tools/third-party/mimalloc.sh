# Musl's allocator is made to be small: what we do with many small pieces takes several times as long
# and as much memory with it. The environment has no say in ours.
build_mimalloc()
{
	archive mimalloc '-std=gnu11 -DMI_MALLOC_OVERRIDE -DMI_STATIC_LIB -DNDEBUG -DMI_NO_GETENV
		-ftls-model=local-exec -fno-builtin-malloc -Iinclude' src/static.c
}
