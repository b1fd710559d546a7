"""The code in the guide, by language: what a reader copies is what is compiled."""

from __future__ import annotations

from dev.clients.tools import ROOT

GUIDE = ROOT / "docs/guide.md"


def code(language: str) -> str:
    """All blocks of a language as one text. Every line stands where it stands in the guide, so that a compiler's
    complaint names the guide's own line."""
    lines, inside = [], False
    for line in GUIDE.read_text(encoding="utf-8").splitlines():
        fence = line.startswith("```")
        lines.append(line if inside and not fence else "")
        inside = line == f"```{language}" if fence and not inside else inside and not fence
    return "\n".join(lines) + "\n"
