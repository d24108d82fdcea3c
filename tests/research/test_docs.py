"""What is written about the research kit is what the code says: tables, notebook, versions, extras, features."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import numpy as np
import pytest

from lampion.core.game import find_game
from lampion.core.observation import observation_of
from lampion.research.features import Encoder
from scripts.research_docs import PAGE, with_tables
from scripts.tour import read, run
from tests.support import GAMES

every_game = pytest.mark.parametrize("game", GAMES)

FINGERPRINTS = {
    "lanterns": "9949c9561161aae7",
    "lanterns_dice": "6697579b7653daf2",
    "lumens": "91b8e1e646aea302",
}
"""Of the environments of version 0. If one changes, so must the version in their names (docs/research.md, Versions)."""


@every_game
def test_a_version_has_one_layout_of_observations_and_one_set_of_ids(game: str) -> None:
    layout, found = observation_of(find_game(game)), find_game(game)
    parts = [
        (part.name, part.start, part.shape, part.high, part.is_code)
        for part in layout.OBSERVATION.parts
    ]
    blocks = [
        (block.name, block.start, block.shape)
        for block in found.ACTIONS.blocks
        if not block.by_chance
    ]
    told = repr((found.RULES_VERSION, parts, blocks, found.ACTIONS.num_moves))
    assert hashlib.sha256(told.encode()).hexdigest()[:16] == FINGERPRINTS[game]


def test_the_tables_of_the_page_are_made_from_the_code() -> None:
    page = PAGE.read_text("utf-8")
    assert with_tables(page) == page, "run `python -m scripts.research_docs`"
    assert page.count("<!-- table: ") == 9


@pytest.mark.skipif(
    {"lanterns", "lumens"} - set(GAMES) != set(), reason="the tour shows several games"
)
def test_the_tour_shows_what_it_says() -> None:
    notebook = read()
    assert run(notebook) == notebook, "run `python -m scripts.tour`"


@pytest.mark.skipif("lumens" not in GAMES, reason="the notebook trains in that game")
def test_the_notebook_trains() -> None:
    """With few updates; `python -m scripts.tour train` runs all of it."""
    shown = run(read("train"), UPDATES=4, GAMES=128)
    texts = ["".join(o.get("text", "")) for c in shown["cells"] for o in c.get("outputs", ())]
    assert any("mine" in text and "search:50,net=0" in text for text in texts)
    kept = [o["output_type"] for c in read("train")["cells"] for o in c.get("outputs", ())]
    assert kept == [o["output_type"] for c in shown["cells"] for o in c.get("outputs", ())]


@every_game
def test_features_hold_every_number_of_an_observation(game: str) -> None:
    layout = observation_of(find_game(game)).OBSERVATION
    encode = Encoder(layout)
    vectors = np.random.default_rng(0).integers(
        0, layout.highest(), (5, layout.size), np.uint8, endpoint=True
    )
    inputs = encode(vectors)
    assert inputs.shape == (5, encode.width) and inputs.dtype == np.float32
    assert inputs.min() == 0 and inputs.max() == 1
    num_codes = sum(part.size for part in layout.parts if part.is_code)
    assert (inputs[:, layout.size - num_codes :].sum(axis=1) == num_codes).all()
    changed = vectors.copy()
    for place in range(layout.size):
        changed[0, place] = vectors[0, place] - 1 if vectors[0, place] else 1
    assert (np.abs(encode(changed)[0] - inputs[0]) > 0).sum() == layout.size + num_codes


@pytest.mark.parametrize(
    ("module", "missing"), [("zoo", "pettingzoo"), ("gym", "gymnasium"), ("files", "pyarrow")]
)
def test_what_is_missing_is_named_with_the_extra_that_brings_it(module: str, missing: str) -> None:
    code = f"""
import sys
sys.modules[{missing!r}] = None
try:
    import lampion.research.{module} as module
    list(module.read_games("games.parquet"))
except ModuleNotFoundError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(missing) and "lampion[research]" in done.stdout


def test_the_batch_needs_no_extra() -> None:
    code = """
import sys
for name in ("gymnasium", "pettingzoo", "pyarrow", "resvg_py", "PIL", "joblib"):
    sys.modules[name] = None
import lampion.research.batch, lampion.research.files, lampion.research.tensors, lampion.research.selfplay, lampion.cli.main
"""
    subprocess.run([sys.executable, "-c", code], check=True)
