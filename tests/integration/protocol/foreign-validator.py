"""Validates messages (JSON lines on stdin: {"shape": …, "value": …}) against the published bundle, with Python's jsonschema.

Prints one line per message: `ok`, or what is wrong.
"""

import json
import sys

from jsonschema import Draft202012Validator, RefResolver

bundle = json.load(open(sys.argv[1]))
Draft202012Validator.check_schema(bundle)
resolver = RefResolver.from_schema(bundle)

for line in sys.stdin:
    message = json.loads(line)
    schema = bundle["$defs"][message["shape"]]
    errors = list(Draft202012Validator(schema, resolver=resolver).iter_errors(message["value"]))
    print("ok" if not errors else errors[0].message.replace("\n", " ")[:200])
