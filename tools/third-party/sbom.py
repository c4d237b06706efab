#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sbom.py - the bill of materials of a static file, as SPDX 2.3

usage: sbom.py TABLE VERSION ARCHITECTURE PROGRAM

TABLE is third-party.tsv. It is written to standard output; its time is SOURCE_DATE_EPOCH."""
import datetime
import hashlib
import json
import os
import sys

COLUMNS = "name version origin package package_version file sha256 licence use what".split()


def rows_of(path):
    with open(path, encoding="utf-8") as table:
        lines = [line.rstrip("\n") for line in table if not line.startswith("#")]
    return [dict(zip(COLUMNS, line.split("\t"), strict=True)) for line in lines]


def identity(name):
    return "SPDXRef-" + name


def package(name, version, licence, **more):
    return {"SPDXID": identity(name), "name": name, "versionInfo": version,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": licence, "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", **more}


def checksum(digits):
    return [{"algorithm": "SHA256", "checksumValue": digits}]


def inside(row):
    """A library, or what the compiler adds of its own."""
    of_debian = row["origin"] != "python"
    where = "Debian source package" if of_debian else "Python package"
    kind = "deb/debian" if of_debian else "pypi"
    purl = f"pkg:{kind}/{row['package']}@{row['package_version']}" + ("?arch=source" * of_debian)
    return package(row["name"], row["version"], row["licence"],
                   packageFileName=row["file"], checksums=checksum(row["sha256"]),
                   sourceInfo=f"{where} {row['package']} {row['package_version']}",
                   comment=row["what"],
                   externalRefs=[{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                  "referenceLocator": purl}])


def bill(rows, version, arch, program):
    with open(program, "rb") as f:
        digits = hashlib.sha256(f.read()).hexdigest()
    made = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    parts = [r for r in rows if r["use"] != "patches"]
    name = f"jfrec-{version}-linux-{arch}"
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"urn:jfrec:{name}:{digits}",
        "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Tool: jfrec-sbom"]},
        "packages": [package("jfrec", version, "MIT", packageFileName="bin/jfrec",
                             checksums=checksum(digits))] + [inside(r) for r in parts],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
             "relatedSpdxElement": identity("jfrec")}] + [
            {"spdxElementId": identity("jfrec"), "relationshipType": "STATIC_LINK",
             "relatedSpdxElement": identity(r["name"])} for r in parts],
    }


table, *rest = sys.argv[1:]
json.dump(bill(rows_of(table), *rest), sys.stdout, indent=1)
print()
