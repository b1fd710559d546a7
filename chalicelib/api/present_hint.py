"""A hint as JSON."""

from __future__ import annotations

from chalicelib.api import shapes as a
from chalicelib.api.shapes import Shape, always, item, perhaps
from chalicelib.service.play.hints import HINTS

HINT_PARAMS = Shape(
    "HintParams",
    "The parameters of the reason's sentence: those that its `code` has, and `chance` if cards were compared.",
    perhaps("number", a.whole("A call.", 7, 13), item("number")),
    perhaps(
        "chance", a.whole("How often my side succeeds, in per cent of the hands that fit.", 0, 100), item("chance")
    ),
    perhaps("suit", a.word("Suit"), item("suit")),
    perhaps("tricks", a.whole("", 1, 13), item("tricks")),
    perhaps("seat", a.word("SeatName"), item("seat")),
)
HINT = Shape(
    "Hint",
    "What the strongest bot would do in your seat.",
    always("move", a.move("A whole body for `makeMove`.")),
    always(
        "code",
        a.text(
            "Why. Expect codes that you do not know. "
            + " ".join(f"`{code}`: {sentence}" for code, sentence in HINTS.items())
        ),
    ),
    always("params", a.part(HINT_PARAMS)),
    always("text", a.text("The reason in English, for developers.")),
)
