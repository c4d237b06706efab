"""JSON documents of jfrec, held against their schemas."""

import json
import os

try:
    from jsonschema import Draft202012Validator as Validator
except ImportError:  # python3-jsonschema
    Validator = None

DIRECTORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "settings", "schema")


def read(name):
    with open(os.path.join(DIRECTORY, name + ".json"), encoding="utf-8") as f:
        return json.load(f)


def faults_of(text, name):
    """What is wrong with a document, in bytes, that is to be the one of that name."""
    try:
        document = json.loads(text.decode("utf-8"))
    except ValueError as error:
        return [error, text[-200:]]
    if not isinstance(document, dict) or document.get("schema") != name:
        return [f"it is not {name}: {text[:200]}"]
    return [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:300]}"
            for e in Validator(read(name)).iter_errors(document)]
