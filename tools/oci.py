#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write an image for containers as an OCI archive: one program, for several architectures.

usage: oci.py VERSION OUTPUT ARCHITECTURE=DIRECTORY...

Each DIRECTORY is the root of the image for its architecture. The same bytes come out each time; the
time of everything is $SOURCE_DATE_EPOCH. The archive has an index of all architectures by the name
VERSION, and each of them alone by the name VERSION-ARCHITECTURE, for tools that want one.
"""

import gzip
import hashlib
import io
import json
import os
import sys
import tarfile
import time

EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
CREATED = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(EPOCH))
MEDIA = "application/vnd.oci.image."
NOBODY = "65532:65532"  # what others use for this, too; it has no name here, and needs none
TEMPORARY = "tmp"


def labels(version):
    return {"org.opencontainers.image.title": "jfrec",
            "org.opencontainers.image.description": "JDK Flight Recorder without a JDK",
            "org.opencontainers.image.version": version,
            "org.opencontainers.image.licenses": "MIT",
            "org.opencontainers.image.created": CREATED}


def member(name, kind, mode, data=b""):
    info = tarfile.TarInfo(name)
    info.type, info.mode, info.mtime, info.size = kind, mode, EPOCH, len(data)
    return info, data


def tar(members):
    """All belongs to root; in the order of the names, so directories are before what is in them."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for info, data in sorted(members, key=lambda m: m[0].name):
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def layer_of(root):
    """The files below root, and a directory for temporary files that everybody may write."""
    members = [member(TEMPORARY, tarfile.DIRTYPE, 0o1777)]
    for folder, folders, names in os.walk(root):
        below = os.path.relpath(folder, root)
        for name in folders:
            members.append(member(os.path.normpath(f"{below}/{name}"), tarfile.DIRTYPE, 0o755))
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as f:
                mode = 0o755 if os.access(path, os.X_OK) else 0o644
                members.append(member(os.path.normpath(f"{below}/{name}"), tarfile.REGTYPE, mode, f.read()))
    return tar(members)


class Layout:
    """The blobs of an archive, by their digests."""

    def __init__(self):
        self.blobs = {}

    def add(self, data, media):
        digest = hashlib.sha256(data).hexdigest()
        self.blobs[digest] = data
        return {"mediaType": media, "digest": "sha256:" + digest, "size": len(data)}

    def add_json(self, document, media):
        return self.add(to_json(document), media)

    def files(self):
        yield member("blobs", tarfile.DIRTYPE, 0o755)
        yield member("blobs/sha256", tarfile.DIRTYPE, 0o755)
        for digest, data in self.blobs.items():
            yield member("blobs/sha256/" + digest, tarfile.REGTYPE, 0o644, data)


def to_json(document):
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()


def add_image(layout, version, architecture, root):
    """Its manifest, as an index lists it."""
    layer = layer_of(root)
    config = {"created": CREATED, "architecture": architecture, "os": "linux",
              "config": {"User": NOBODY, "Entrypoint": ["/usr/bin/jfrec"], "Env": ["PATH=/usr/bin"],
                         "WorkingDir": "/", "Labels": labels(version)},
              "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
              "history": [{"created": CREATED, "created_by": "tools/build-image"}]}
    manifest = {"schemaVersion": 2, "mediaType": MEDIA + "manifest.v1+json",
                "config": layout.add_json(config, MEDIA + "config.v1+json"),
                "layers": [layout.add(gzip.compress(layer, 9, mtime=0), MEDIA + "layer.v1.tar+gzip")],
                "annotations": labels(version)}
    return {**layout.add_json(manifest, MEDIA + "manifest.v1+json"),
            "platform": {"architecture": architecture, "os": "linux"}}


def named(descriptor, name):
    return {**descriptor, "annotations": {"org.opencontainers.image.ref.name": name}}


def index(manifests, **more):
    return {"schemaVersion": 2, "mediaType": MEDIA + "index.v1+json", "manifests": manifests, **more}


def main():
    version, output = sys.argv[1:3]
    layout = Layout()
    images = [add_image(layout, version, *argument.split("=", 1)) for argument in sys.argv[3:]]
    everything = layout.add_json(index(images, annotations=labels(version)), MEDIA + "index.v1+json")
    names = [named(everything, version)]
    names += [named(image, f"{version}-{image['platform']['architecture']}") for image in images]
    members = [*layout.files(),
               member("oci-layout", tarfile.REGTYPE, 0o644, to_json({"imageLayoutVersion": "1.0.0"})),
               member("index.json", tarfile.REGTYPE, 0o644, to_json(index(names)))]
    with open(output, "wb") as f:
        f.write(tar(members))


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__.split("\n\n")[1])
    main()
