"""What is said of a rule that cannot be translated."""

from __future__ import annotations

import ast


class Untranslatable(Exception):
    """A rule uses something that the translator does not know. Says file, line and what to write instead."""

    def __init__(self, file: str, line: int, problem: str, instead: str) -> None:
        super().__init__(f"{file}:{line}: {problem}; {instead}")
        self.line = line


def shown(node: ast.AST) -> str:
    """A piece of the source, short."""
    text = ast.unparse(node)
    return text if len(text) <= 60 else text[:57] + "..."
