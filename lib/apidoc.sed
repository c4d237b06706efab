# The comments of the public headers, as doxygen wants to have them.

/SPDX-License-Identifier/d
# What begins a section of a header.
/^\/\* .* ----* \*\/$/d
# A header's first comment.
s,^/\* jfrec/\([a-z]*\.h\) - \(.*\) \*/$,/** @file jfrec/\1 \2 */,
s,^ \* jfrec/\([a-z]*\.h\) - , * @file jfrec/\1 ,
s,^ \* jfrec\.h - , * @mainpage ,
# In front of what they are about; then after it, in the same line.
s,^\(	*\)/\*$,\1/**,
s,^\(	*\)/\* ,\1/** ,
s,\([;\,{]\)\([ 	]*\)/\* ,\1\2/**< ,
