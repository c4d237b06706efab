# tap.sh - counting tests and saying how each went; for the scripts here, which source it

tests=0
failed=0

result()        # ok|not-ok NAME
{
	tests=$((tests + 1))
	if [ "$1" = ok ]; then
		echo "ok $tests - $2"
	else
		echo "not ok $tests - $2"
		failed=1
	fi
}

# The plan, and the script's exit status.
finish()
{
	echo "1..$tests"
	exit $failed
}
