"""Frames of text as the server writes them: the bytes that the library would send."""

from __future__ import annotations

import pytest
from websockets.frames import Frame, Opcode

from lampion.server.web.connections import text_frame


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
def test_a_text_is_one_frame_whatever_its_length(length: int) -> None:
    text = ("é" * length).encode()[:length]
    assert text_frame(text) == Frame(Opcode.TEXT, text).serialize(mask=False)
