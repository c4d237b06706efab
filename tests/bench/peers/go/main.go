// SPDX-License-Identifier: MIT

// Makes pprof profiles of all that a recording has samples of, with Grafana's parser, and prints how
// many there are and how many bytes they have before they are compressed.
package main

import (
	"fmt"
	"log"
	"os"
	"time"

	"github.com/grafana/jfr-parser/pprof"
)

func main() {
	recording, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	made, err := pprof.ParseJFR(recording, &pprof.ParseInput{StartTime: time.Now(), EndTime: time.Now(), SampleRate: 100}, nil)
	if err != nil {
		log.Fatal(err)
	}
	size := 0
	for _, p := range made.Profiles {
		bytes, err := p.Profile.MarshalVT()
		if err != nil {
			log.Fatal(err)
		}
		size += len(bytes)
	}
	fmt.Println(len(made.Profiles), size)
}
