"""`make docs`: write the page of the contract, `chalicelib/api/static/docs.html`; with `--check`, only look at it.

One file: RapiDoc (npm, MIT), fetched once by npm and known by its digest, and the little around it below. The page
reads `openapi.json` beside it, and its policy lets it read nothing else.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from dev.openapi import SERVER

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "chalicelib/api/static/docs.html"
PACKAGE = "rapidoc@9.3.8"
SCRIPT_SHA256 = "affbd173a65e870e18f392cca963113bcdafb6e50e88cd2f6a834a65b22db94d"
LICENCES_SHA256 = "d4283e6d84f8c746d2d0146608233fba432b9ee07999ece3b492f50466d9ee67"
_SCRIPT, _LICENCES = "package/dist/rapidoc-min.js", "package/dist/rapidoc-min.js.LICENSE.txt"

_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src {allowed}; \
style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'">
<title>Do Dooni API</title>
<style>
  body {{ margin: 0; font: 16px/1.5 system-ui, sans-serif }}
  rapi-doc::part(section-navbar) {{ border-right: 1px solid #e3ddd0 }}
  rapi-doc::part(section-endpoint-body-expanded) {{ position: relative; padding-top: 24px }}
  rapi-doc::part(section-endpoint-head-collapsed), rapi-doc::part(section-endpoint-head-expanded) {{ flex-wrap: wrap }}
  rapi-doc::part(section-endpoint-head-description) {{
    display: block; flex: 1 0 100%; padding: 0 0 6px; word-break: normal
  }}
</style>
</head>
<body>
<rapi-doc spec-url="openapi.json" load-fonts="false" theme="light" bg-color="#fffdf8" text-color="#23201a"
  primary-color="#8a2b2b" nav-bg-color="#f6f1e6" nav-accent-color="#8a2b2b" regular-font="system-ui, sans-serif"
  mono-font="ui-monospace, Menlo, monospace" font-size="large" render-style="view" layout="column"
  schema-style="tree" schema-description-expanded="true" default-schema-tab="schema" show-header="false"
  show-method-in-nav-bar="as-colored-text" use-path-in-nav-bar="false" allow-spec-url-load="false"
  allow-spec-file-load="false" allow-spec-file-download="false" allow-server-selection="false" allow-try="true"
  persist-auth="false" update-route="true">
<noscript><p>The page needs JavaScript; <a href="openapi.json">the contract itself</a> does not.</p></noscript>
</rapi-doc>
"""

# RapiDoc takes a relative server for one of the host's root: it is given the right one, which the document has relative
# to itself. On a phone a list that unfolds; where there is room for it, a menu beside one operation at a time.
_SETTINGS = (
    'const page = document.querySelector("rapi-doc");'
    f'page.setAttribute("server-url", new URL("{SERVER}", new URL("openapi.json", location)));'
    'if (matchMedia("(min-width: 900px)").matches) page.setAttribute("render-style", "focused");'
)


def page(script: str, licences: str) -> str:
    """The whole page, around RapiDoc's script and the licences of what is in it."""
    allowed = " ".join(f"'sha256-{_digest(each)}'" for each in (_SETTINGS, script))
    head = f"{_HEAD.format(allowed=allowed)}<script>{_SETTINGS}</script>\n"
    return f"{head}<!--\n{licences.strip()}\n-->\n<script>{script}</script>\n</body>\n</html>\n"


def taken_apart(text: str) -> tuple[str, str]:
    """The script and the licences out of a page that `page` made."""
    rest = text.partition("<!--\n")[2]
    licences, _, rest = rest.partition("\n-->\n<script>")
    return rest.removesuffix("</script>\n</body>\n</html>\n"), licences


def faults() -> list[str]:
    """What is not as it must be with the page that is checked in."""
    text = PAGE.read_text(encoding="utf-8")
    script, licences = taken_apart(text)
    found = []
    if (_sha256(script), _sha256(licences)) != (SCRIPT_SHA256, LICENCES_SHA256):
        found.append(f"the script is not that of {PACKAGE}")
    if page(script, licences) != text:
        found.append("the page is not as written: make docs")
    return found


def fetched() -> tuple[str, str]:
    """RapiDoc's script and licences, by npm. Raises if they are not those that are known."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as package:
            script, licences = (_member(package, name) for name in (_SCRIPT, _LICENCES))
    if (_sha256(script), _sha256(licences.strip())) != (SCRIPT_SHA256, LICENCES_SHA256):
        raise SystemExit(f"{PACKAGE} is not what it was: {_sha256(script)} {_sha256(licences.strip())}")
    return script, licences


def _member(package: tarfile.TarFile, name: str) -> str:
    file = package.extractfile(name)
    if file is None:
        raise SystemExit(f"{PACKAGE} has no {name}")
    return file.read().decode()


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m dev.docs_page", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    if not parser.parse_args().check:
        PAGE.write_text(page(*fetched()), encoding="utf-8")
        print(f"{PAGE.relative_to(ROOT)} written")
    for fault in (found := faults()):
        print(fault)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
