# One file is made of its sources by its own scripts, which need tclsh and run here.
build_sqlite()
{
	mkdir -p amalgamation
	cd amalgamation
	{ CC=$native_cc ../configure --disable-tcl --disable-readline && make sqlite3.c; } >log 2>&1 ||
		fail "sqlite: $(tail -n 1 log)"
	archive sqlite3 '-DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_OMIT_DEPRECATED
		-DSQLITE_OMIT_SHARED_CACHE -DSQLITE_ENABLE_MATH_FUNCTIONS -DSQLITE_ENABLE_COLUMN_METADATA
		-DSQLITE_MAX_VARIABLE_NUMBER=250000 -DHAVE_FDATASYNC -DHAVE_USLEEP -DHAVE_LOCALTIME_R
		-DHAVE_ISNAN' sqlite3.c
	offer sqlite3.h ../src/sqlite3ext.h
	describe sqlite3 "$version" -lsqlite3
}
