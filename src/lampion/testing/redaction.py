"""Nothing hidden leaves: two states that differ only in what a seat cannot see give that seat the
same bytes."""

from __future__ import annotations

import os
import random
from typing import Any

import msgspec
import numpy as np

from lampion.core import play
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.record import Record
from lampion.core.rng import new_rng
from lampion.core.types import CHANCE, SPECTATOR
from lampion.testing.about import about
from lampion.testing.cases import Case, every_case, play_on

GAMES_PER_CASE = int(os.environ.get("LAMPION_REDACTION_GAMES", "1"))
EVERY = 3 if os.environ.get("LAMPION_NIGHT") == "1" else 7
"""Positions from one look into two worlds to the next; no multiple of any number of players."""
FIRST = 6
"""So many positions of every game are looked at in any case: some games have no more."""


def another_world(match: Match, seat: int, seed: int) -> Match:
    """The same match as far as that seat can tell, with everything else guessed again."""
    return match.guess(seat, new_rng(seed))


def all_bytes(match: Match, seat: int) -> bytes:
    """Everything a seat is ever given: the redacted record, the view, the drawing, what it may do
    and what that would do."""
    may_do = match.previews(seat) if seat != SPECTATOR and match.may_act(seat) else {}
    seen = match.seen_from(seat).tobytes().hex()
    *_, view = match.views([SPECTATOR, *range(match.players), seat])
    assert view == match.view(seat), "who else is shown something makes no difference"
    return msgspec.json.encode([seen, view, may_do, match.draw(seat), match.log.read_by(seat)])


@every_case
def test_worlds_that_a_seat_cannot_tell_apart_look_the_same(case: Case) -> None:
    """Where everything is public there is only one world, and one game shows that drawings and
    views depend on nothing else."""
    for seed in range(GAMES_PER_CASE if find_game(case.game).State.has_secrets else 1):
        for number, match in enumerate(play_on(case.without_chance(), random.Random(seed))):
            if number < FIRST or number % EVERY == 0:
                for seat in (SPECTATOR, *range(match.players)):
                    check_one_seat(match, seat, 1000 * seed + match.ply)


def check_one_seat(match: Match, seat: int, seed: int) -> None:
    twin = another_world(match, seat, seed)
    about(match.game.NAME).check_nothing_lost(twin.state)
    assert all_bytes(twin, seat) == all_bytes(match, seat)
    check_the_next_action(match, twin, seat, seed)


def check_the_next_action(match: Match, twin: Match, seat: int, seed: int) -> None:
    """Whatever happens next in the two worlds and looks the same to this seat also leaves the same
    things behind."""
    if turns_cards_over(match):
        return
    chooser = random.Random(seed)
    worlds = [match.with_chance(None), twin]
    if match.to_act == CHANCE:
        if draw_in_each(worlds, seat, chooser):
            assert all_bytes(worlds[0], seat) == all_bytes(worlds[1], seat)
        return
    actor = seat if seat != SPECTATOR and match.may_act(seat) else match.to_act
    shared = sorted(set(worlds[0].legal_actions(actor)) & set(worlds[1].legal_actions(actor)))
    if not shared:
        return
    text = chooser.choice(shared)
    is_the_end_of_secrets = shows_secrets(match)
    open_before = opened(match)
    for world in worlds:
        world.submit(text, actor)
    if is_the_end_of_secrets or turns_cards_over(worlds[0]):
        return
    if any(opened(world) != open_before for world in worlds):
        return
    assert worlds[0].events(-1, seat) == worlds[1].events(-1, seat)
    if worlds[0].to_act == CHANCE and not draw_in_each(worlds, seat, chooser):
        return
    assert all_bytes(worlds[0], seat) == all_bytes(worlds[1], seat)


def shows_secrets(match: Match) -> bool:
    """Whether the next action shows everybody what was hidden, in a way that no field tells."""
    return about(match.game.NAME).shows_secrets(match.state)


def opened(match: Match) -> list[Any]:
    """The numbers that open fields to everybody. Where one has changed, cards lie open that were
    hidden: the worlds part here, and may."""
    fields = match.state.fields.values()
    switches = sorted({field.open_if for field in fields if field.open_if})
    return [np.asarray(getattr(match.state, name)).tolist() for name in switches]


def turns_cards_over(match: Match) -> bool:
    """Whether the next thing that happens, by nobody's decision, is to show what was hidden: the
    worlds part here, and may."""
    return match.to_act == CHANCE and shows_secrets(match)


def draw_in_each(worlds: list[Match], seat: int, chooser: random.Random) -> bool:
    """Chance may give each world another outcome, if the outcome is not this seat's to see.
    Returns whether they still have to look the same."""
    outcomes = [world.legal_actions(CHANCE) for world in worlds]
    if is_secret(worlds[0]) and worlds[0].game.owner(worlds[0].state, CHANCE) != seat:
        drawn = [chooser.choice(texts) for texts in outcomes]
    else:
        # What this seat draws itself it sees, so the worlds can only go on together with an outcome
        # that both have.
        drawn = [text for text in outcomes[0] if text in outcomes[1]][:1] * 2
    open_before = opened(worlds[0])
    for world, text in zip(worlds, drawn, strict=False):
        world.submit(text, CHANCE)
    if any(opened(world) != open_before for world in worlds):
        return False
    assert worlds[0].events(-1, seat) == worlds[1].events(-1, seat)
    return True


def is_secret(world: Match) -> bool:
    """Whether the next outcome of chance is for its owner alone."""
    outcome = int(world.legal_ids(CHANCE)[0])
    block = world.game.ACTIONS.block_of(outcome)
    return block.secret and world.game.hidden_text(world.state, CHANCE, outcome) != ""


@every_case
def test_hidden_fields_are_blank_for_whoever_may_not_see_them(case: Case) -> None:
    for match in play_on(case.new(11), random.Random(11)):
        seen = match.seen_from(SPECTATOR)
        for name in seen.fields:
            if not match.state.is_open_to_all(name):
                assert not np.array_equal(
                    getattr(seen, name), getattr(match.state, name)
                ) or not _holds_anything(match.state, name)


def _holds_anything(state: Record, name: str) -> bool:
    values: Any = getattr(state, name)
    return bool(np.any(np.asarray(values) != 0))


@every_case
def test_guesses_are_possible_worlds(case: Case) -> None:
    """A guess can be played to the end like any state."""
    legal, rng = np.empty(case.without_chance().game.ACTIONS.size, np.int32), new_rng(3)
    for match in play_on(case.new(12), random.Random(12)):
        if match.ply % 5 == 0:
            twin = another_world(match, match.to_act, match.ply)
            end = twin.state.copy()
            play.play_random_game(end.batch, 0, legal, rng)
            about(case.game).check_nothing_lost(end)
