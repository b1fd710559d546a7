"""Whether texts of Swift or Kotlin are well formed: `python syntax.py swift FILE…`, in the clients' own environment.
Prints a line for each place that does not parse, and ends with 1 if there is one."""

import re
import sys
from pathlib import Path

import tree_sitter
import tree_sitter_kotlin
import tree_sitter_swift

GRAMMARS = {"swift": tree_sitter_swift, "kotlin": tree_sitter_kotlin}
# The grammar of Swift does not know `()` as a value (of generated code, `let result = () as! T`). `Void()` is the same.
NOTHING = re.compile(rb"(?<=[=:] )\(\)(?=\)? as!)")


def faults(node: tree_sitter.Node) -> list[tuple[int, str]]:
    """Line and text of every place that does not parse."""
    if node.type == "ERROR" or node.is_missing:
        text = (node.text or b"").decode(errors="replace").partition("\n")[0]
        return [(node.start_point.row + 1, f"{text} …" if node.type == "ERROR" else f"{node.type} is missing")]
    return [fault for child in node.children if child.has_error for fault in faults(child)]


def main(language: str, files: list[str]) -> int:
    parser = tree_sitter.Parser(tree_sitter.Language(GRAMMARS[language].language()))
    found = 0
    for file in files:
        text = NOTHING.sub(b"Void()", Path(file).read_bytes())
        root = parser.parse(text).root_node
        if not root.has_error and root.child_count:
            continue
        for line, what in faults(root) or [(1, "nothing")]:
            print(f"{file}:{line}: {what}")
            found += 1
    return min(found, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
