module parser

go 1.24.0

require github.com/grafana/jfr-parser v0.0.0

replace github.com/grafana/jfr-parser => ./jfr-parser
