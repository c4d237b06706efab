# Sets VNU to the validator of HTML, the npm package vnu-jar, if that and java are there.
VNU=$(node -e 'console.log(String(require("vnu-jar")))' 2>/dev/null)
command -v java >/dev/null || VNU=
export VNU
