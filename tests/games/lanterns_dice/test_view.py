"""What a seat of Lanterns Dice sees: the score at any time, what is near, and
the drawings made from it."""

from __future__ import annotations

import importlib
import json
import random
from xml.etree import ElementTree

import numpy as np
import pytest

import lampion
from lampion.core.shown import Effects
from lampion.games.lanterns_dice.compact import COMPACT, observe_compact
from lampion.games.lanterns_dice.components import (
    CARD_ACTIONS,
    POOL_NAMES,
    SHAPE_NAMES,
    SHEET_LETTERS,
    read_components,
)
from lampion.games.lanterns_dice.print import printable
from lampion.games.lanterns_dice.svg_lake import Grid, place
from tests.games.lanterns_dice.build import after, at_the_die, position
from tests.support import Case, play_on

CHAIN = "f6l f5u a1u a1l b1u b1l"


def seat(match: lampion.Match, player: int = 0) -> dict[str, object]:
    shown: dict[str, object] = match.view()["seats"][player]
    return shown


# --- the view -------------------------------------------------------------------------------------


def test_nothing_is_hidden_from_anybody() -> None:
    match = at_the_die(position(3, lakes=[CHAIN]))
    views = [{**match.view(player), "seat": None} for player in (-1, 0, 1, 2)]
    assert all(view == views[0] for view in views)
    assert json.loads(json.dumps(views[0])) == views[0]


def test_the_parts_of_the_score_stand_at_any_time() -> None:
    for seed in range(3):
        for match in play_on(Case("lanterns_dice", 3, {}).new(seed), random.Random(seed)):
            for player, total in enumerate(match.scores):
                score = match.view()["seats"][player]["score"]
                assert (
                    score["total"]
                    == total
                    == score["fireworks"] + score["second_group"] + score["boats"]
                )


def test_every_choice_has_its_name() -> None:
    match = after(position(2, gifts=[5, 0], lakes=[CHAIN + " c1u c1l"], emperor="AAB"), "rBBBB")
    names = [seat(match)["choice"]]
    for text in ("t0", "f6u", "skip", "skip", "e3", "c2u"):
        after(match, text)
        names.append(seat(match)["choice"])
    assert names == [
        "tray",
        "die",
        "platform_bonus",
        "turn_bonus",
        "card",
        "card_area",
        "second_area",
    ]
    after(match, "skip")
    assert seat(match)["choice"] is None, "a line of three does not fit: I3 is not in play"
    assert seat(match, 1)["choice"] == "die"


def test_phases_of_the_table() -> None:
    match = lampion.Match(lampion.find_game("lanterns_dice"), 2)
    phases = []
    for text in ("sheets AB", "fireworks I3 O4 T4 U5", "emperor AAA", "rRRRR", "t0"):
        phases.append(match.view()["turn"]["phase"])
        match.submit(text)
    assert phases == ["sheets", "fireworks", "emperor", "roll", "tray"]
    assert match.view()["turn"]["phase"] == "act"


def test_before_the_deal_nobody_has_a_lake() -> None:
    match = lampion.Match(lampion.find_game("lanterns_dice"), 2, {"lakes": "four"})
    assert seat(match)["lake"] is None
    assert seat(match)["sheet"] is None
    assert str(match)
    assert match.svg().startswith("<svg")


def test_a_lake_is_shown_as_in_a_components_file() -> None:
    match = position(4, lakes=[], sheets="ABCD", setup="first")
    four = lampion.Match(lampion.find_game("lanterns_dice"), 4, {"lakes": "four"})
    four.submit("sheets ABCD")
    pieces = read_components(None)
    for player in range(4):
        assert seat(match, player)["lake"] == pieces.lakes.lake1
        assert (
            seat(four, player)["lake"]
            == [pieces.lakes.lake1, pieces.lakes.lake2, pieces.lakes.lake3, pieces.lakes.lake4][
                player
            ]
        )


def test_reach_tells_what_fits_and_how_many_areas_are_missing() -> None:
    lake = """
        .........
        .........
        .........
        .........
        xx.......
        xl.......
    """
    reach = {
        shape["shape"]: shape for shape in position(2, lakes=[lake]).view()["seats"][0]["reach"]
    }
    assert reach["V3"] == {"shape": "V3", "launches": ["V3o1@a1"], "missing": 0}
    assert (reach["O4"]["missing"], reach["O4"]["launches"]) == (1, [])
    assert reach["U5"]["missing"] == 4, "a2 to c2 with the arms down: c2 and c1 are missing"
    gone = {
        shape["shape"]: shape
        for shape in position(2, lakes=[lake], taken="V3 " * 6).view()["seats"][0]["reach"]
    }
    assert gone["V3"] == {"shape": "V3", "launches": [], "missing": None}


def test_reach_agrees_with_the_legal_launches() -> None:
    for seed in range(4):
        for match in play_on(
            Case("lanterns_dice", 2, {"fireworks": "I3 V3 O4 T4"}).new(seed), random.Random(seed)
        ):
            for player in match.actors:
                shown = match.view()["seats"][player]
                if shown["choice"] == "launch":
                    assert match.legal_actions(player)[1:] == [
                        text for shape in shown["reach"] for text in shape["launches"]
                    ]


def test_a_boat_tells_which_neighbors_are_missing() -> None:
    match = position(2, lakes=["b1u b1l b3u b3l a2u e4u"])
    boats = {boat["pool"]: boat for boat in match.view()["seats"][0]["boats"]}
    assert boats["b2"] == {
        "pool": "b2",
        "lost": False,
        "surrounded": False,
        "missing": ["a2", "c2"],
    }
    assert boats["e4"]["lost"]


def test_events_tell_everything_in_order() -> None:
    match = at_the_die(position(2, lakes=["f6l f5u"]), "rBBBB")
    after(match, "f6u")
    assert match.events() == [
        {"event": "area_shaded", "player": 0, "area": "f6u", "color": "B", "by": "die"},
        {"event": "pool_completed", "player": 0, "pool": "f6"},
        {"event": "bonus_due", "player": 0, "pool": "f6", "count": 1},
    ]
    after(match, "f5l")
    assert match.events()[0] == {
        "event": "area_shaded",
        "player": 0,
        "area": "f5l",
        "color": "P",
        "by": "platform_bonus",
    }
    after(match, "skip skip e1")
    (bought,) = match.events()
    assert (bought["cause"], bought["card"]) == ("card", 1)
    assert (bought["what"], bought["from"], bought["count"]) == ("gift", "seat:0", 1)


# --- drawings -------------------------------------------------------------------------------------


def test_text_draws_lakes_side_by_side_within_a_hundred_columns() -> None:
    match = at_the_die(
        position(4, lakes=[CHAIN, "", CHAIN], tiles=["", "", "V3o0@a1"], gifts=[3, 0, 0, 0])
    )
    drawing = match.draw(0)
    assert max(len(line) for line in drawing.splitlines()) <= 100
    assert drawing.count("6 OG") == 4
    assert "▒▒^" in drawing
    assert "██" in drawing
    assert "shades for the die" in drawing


@pytest.mark.parametrize("players", [2, 3, 4])
def test_svg_is_well_formed_at_every_stage_and_for_every_seat(players: int) -> None:
    names = ["<&\"Ada'>", "二" * 20, "x" * 40, "M"][:players]
    match = lampion.new("lanterns_dice", players, seed=2, names=names)
    for _ in play_on(match, random.Random(2)):
        if match.ply % 11 == 0:
            check_svg(match.svg(match.ply % (players + 1) - 1))
    check_svg(match.svg())


def check_svg(drawing: str) -> None:
    root = ElementTree.fromstring(drawing)
    ids = {element.get("id") for element in root.iter()} - {None}
    used = {
        element.get("href", "").removeprefix("#") for element in root.iter() if element.get("href")
    }
    assert used <= ids, "everything that is stamped is defined"
    assert all(name and name.startswith("lampion-") for name in ids)


def test_every_pool_has_its_own_place_in_a_drawing() -> None:
    assert len({place(name) for name in POOL_NAMES}) == len(POOL_NAMES)
    assert place("a6") == (0, 0)
    assert place("i1") == (8, 5)
    assert Grid(0, 0, 10).middle("b6") == (15, 5)


def test_there_are_sheets_tiles_and_cards_to_print() -> None:
    pages = printable(read_components(None))
    sheets = [
        f"sheet-{letter}-lakes-{lakes}" for lakes in ("same", "four") for letter in SHEET_LETTERS
    ]
    assert list(pages) == [*sheets, *(f"fireworks-{name}" for name in SHAPE_NAMES), "emperor"]
    for page in pages.values():
        root = ElementTree.fromstring(page)
        assert (root.get("width"), root.get("height")) == ("210mm", "297mm")
    assert pages["sheet-A-lakes-same"] == pages["sheet-A-lakes-four"]
    assert pages["sheet-B-lakes-same"] != pages["sheet-B-lakes-four"]
    assert len(CARD_ACTIONS) == pages["emperor"].count("gift</text>") + pages["emperor"].count(
        "gifts</text>"
    )


def test_a_kept_seat_is_the_one_that_would_be_written_now() -> None:
    writer = importlib.import_module("lampion.games.lanterns_dice.view")
    match, chooser = lampion.new("lanterns_dice", 4, seed=3), random.Random(3)
    while not match.is_over:
        actor = chooser.choice(match.actors)
        match.submit(chooser.choice(match.legal_actions(actor)), actor)
        kept = match.view(0)["seats"]
        writer._seats.clear()
        assert match.view(0)["seats"] == kept


def test_kept_seats_do_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server plays for months."""
    writer = importlib.import_module("lampion.games.lanterns_dice.view")
    monkeypatch.setattr(writer, "MOST_KEPT_SEATS", 5)
    writer._seats.clear()
    match, chooser = lampion.new("lanterns_dice", 4, seed=3), random.Random(3)
    for _ in range(40):
        actor = chooser.choice(match.actors)
        match.submit(chooser.choice(match.legal_actions(actor)), actor)
        found = match.view(0)["seats"]
        assert len(writer._seats) <= 5
    writer._seats.clear()
    assert match.view(0)["seats"] == found


def test_before_the_fireworks_are_chosen_their_numbers_are_zero() -> None:
    """What an agent is given in few numbers, before and after chance has acted."""
    match = lampion.Match(lampion.find_game("lanterns_dice"), 2)
    match.submit("sheets AB")

    def numbers() -> dict[str, list[int]]:
        out = np.full(COMPACT.size, 99, np.uint8)
        observe_compact(match.state.batch[0], 0, out)
        return {name: values.tolist() for name, values in COMPACT.read(out).items()}

    assert numbers()["shape"] == numbers()["tiles_taken"] == [0, 0, 0, 0]
    assert numbers()["sheet"] == [1, 2, 0, 0]
    match.submit("fireworks I3 O4 T4 U5")
    names = [SHAPE_NAMES[number - 1] for number in numbers()["shape"]]
    assert names == ["I3", "O4", "T4", "U5"]


def test_known_effects_are_those_that_would_be_found_again() -> None:
    match, chooser = lampion.new("lanterns_dice", 4, seed=2), random.Random(2)
    before: dict[int, Effects | None] = {}
    num_kept = 0
    while not match.is_over:
        for seat in match.actors:
            view = match.view(seat)
            found = match.all_effects(seat, view, 4096)
            assert found == match.copy().all_effects(seat, view, 4096)
            num_kept += found is not None and found is before.get(seat)
            before[seat] = found
        actor = chooser.choice(match.actors)
        match.submit(chooser.choice(match.legal_actions(actor)), actor)
    assert num_kept > 50, "others' actions leave what a seat may do as it is"
