"""Does the content security policy of a page name its script, or its style, by its hash?

usage: policy.py script|style PAGE

The last element of that kind counts.
"""

import base64
import hashlib
import re
import sys

kind, page = sys.argv[1], open(sys.argv[2], newline="").read()
last = re.findall(rf"<{kind}>(.*?)</{kind}>", page, re.S)[-1]
digest = base64.b64encode(hashlib.sha256(last.encode()).digest()).decode()
if f"{kind}-src 'sha256-{digest}'" not in page:
    sys.exit(f"the policy does not name {kind}-src 'sha256-{digest}'")
