"""Whether Swift is well formed, where no compiler for it can be had (no registry in reach carries one): `python
syntax.py FILE…`, in the clients' own environment. Prints each place that does not parse, and ends with 1 then."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import tree_sitter
import tree_sitter_swift

# The grammar does not know `()` as a value (of generated code, `let result = () as! T`). `Void()` is the same.
NOTHING = re.compile(rb"(?<=[=:] )\(\)(?=\)? as!)")


def faults(node: tree_sitter.Node) -> Iterator[str]:
    """Line and text of every place that does not parse."""
    if node.type == "ERROR" or node.is_missing:
        text = (node.text or b"").decode(errors="replace").partition("\n")[0]
        yield f"{node.start_point.row + 1}: {text or node.type}"
    else:
        for child in node.children:
            yield from faults(child) if child.has_error else ()


parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_swift.language()))
found = []
for file in sys.argv[1:]:
    root = parser.parse(NOTHING.sub(b"Void()", Path(file).read_bytes())).root_node
    found += [f"{file}:{fault}" for fault in faults(root)]
    found += [] if root.child_count else [f"{file}:1: nothing"]
print("\n".join(found), end="")
sys.exit(bool(found))
