"""The coach: a sentence is only said if it is true, by the oracle; every kind of sentence comes up;
and what a seat could not know is never used."""

from __future__ import annotations

import importlib
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lampion
from lampion.core import play
from lampion.core.comparison import Comparison, Reason, compare
from lampion.core.game import find_game
from lampion.core.log import Entry
from lampion.core.match import Match
from lampion.core.messages import catalog, event_key, languages
from lampion.core.position import Position
from lampion.core.rng import new_rng
from lampion.core.sentences import Reader
from lampion.core.types import CHANCE
from lampion.games.lanterns_dice.state import State as DiceState
from lampion.reviews.coach import MOST_REASONS, SECTION, find_coach, reasons, told
from lampion.reviews.judging import Care, judged
from lampion.testing.cases import Case
from tests.games.lanterns import build as lanterns
from tests.games.lanterns_dice import build as lanterns_dice
from tests.games.lumens import build as lumens
from tests.reviews.claims import Claim, branch
from tests.reviews.test_judging import against_random_play
from tests.support import GAMES, IS_NIGHT, oracle_of, starting_at

PAIRS = 2
"""Pairs of actions compared at a decision."""
PLAYERS = (2, 3, 4) if IS_NIGHT else (2, 4)
GAMES_EACH = 50 if IS_NIGHT else 1
EVERY = {"lanterns": 1, "lumens": 3, "lanterns_dice": 3}
"""One decision in so many is looked at by day: these oracles try everything."""
RARE = 6
"""So many kinds at most may not come up by day; those that are rarest have positions below."""


def coach_of(game: str) -> Any:
    found = find_coach(find_game(game))
    assert found is not None
    return found


def claims_of(game: str) -> dict[str, Any]:
    checks: dict[str, Any] = importlib.import_module(f"tests.reviews.claims.{game}").CHECKS
    return checks


def decisions(game: str, players: int, seed: int) -> Iterator[tuple[Position, Entry, Any]]:
    """The decisions of a game with random play in a seat, each with the oracle in the same
    position."""
    oracle, match = oracle_of(Case(game, players, {})), against_random_play(game, players, seed)
    for _, entry, position in match.walk():
        if entry.actor != CHANCE:
            yield position, entry, oracle
        oracle.apply("c" if entry.actor == CHANCE else entry.actor, entry.text)


def compared(game: str, players: int, seed: int, every: int) -> Iterator[tuple[Comparison, Claim]]:
    """Pairs of actions at the decisions of a game, as the coach and as the oracle see them."""
    chooser = random.Random(seed)
    for number, (position, entry, oracle) in enumerate(decisions(game, players, seed)):
        legal = position.legal_ids(entry.actor).tolist()
        if number % every or len(legal) < 2:
            continue
        for _ in range(PAIRS):
            pair = chooser.sample(legal, 2)
            found = compare(position, entry.actor, *pair)
            if found is None:
                continue
            played, best = (position.action_text(entry.actor, action) for action in pair)
            after, better = (branch(oracle, entry.actor, text) for text in (played, best))
            yield found, Claim(entry.actor, played, best, oracle, after, better, {})


def all_claims(game: str, found: Comparison) -> Iterator[Reason]:
    """Every claim that holds, also those that another keeps from being told."""
    coach = coach_of(game)
    topics = [*coach.TOPICS]
    if game == "lumens" and find_game(game).ACTIONS.decode(found.played)[0].name == "choose_start":
        topics = [*coach.START_TOPICS]
    made = (predicate(found) for topic in topics for predicate in topic)
    return (reason for reason in made if reason is not None)


@pytest.mark.parametrize("game", GAMES)
def test_every_claim_is_true_by_the_oracle_and_can_be_told(game: str) -> None:
    """Of any two actions. None holds the other way round, and one with other numbers is refused."""
    checks, made, refused = claims_of(game), Counter[str](), 0
    every = 1 if IS_NIGHT else EVERY[game]
    for seed in range(GAMES_EACH):
        for players in PLAYERS:
            for found, claim in compared(game, players, seed, every):
                others = [*all_claims(game, swapped(found))]
                for reason in all_claims(game, found):
                    check = checks[reason.kind]
                    assert check(claim._replace(values=reason.values)), reason
                    assert reason not in others, reason
                    assert_told(game, reason)
                    made[reason.kind] += 1
                    if "best" in reason.values:
                        wrong = {**reason.values, "best": int(reason.values["best"]) + 1}
                        assert not check(claim._replace(values=wrong)), reason
                        refused += 1
    assert refused > 20
    assert set(made) <= set(checks)
    assert len(made) >= len(checks) - RARE, set(checks) - set(made)


def swapped(found: Comparison) -> Comparison:
    return Comparison(found.seat, found.before, found.best, found.played, found.better, found.after)


def assert_told(game: str, reason: Reason) -> None:
    """In every language, from the catalog and not from the name of the kind."""
    key = event_key({"event": reason.kind, **reason.values})
    for language in languages():
        assert key in catalog(Path(find_game(game).__file__).parent, language)[SECTION], key
        reader = Reader(game, ("Ann", "Bo", "Cy", "Di"), language)
        (sentence,) = told((reason,), reader)
        assert sentence[0].isupper() and sentence.endswith(".") and "_" not in sentence
        assert "player" not in reason.values or reader.names[reason.values["player"]] in sentence


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_has_a_claim_and_at_least_eight_kinds_are_known(game: str) -> None:
    texts = catalog(Path(find_game(game).__file__).parent, "en")[SECTION]
    kinds = {key.partition("#")[0].removesuffix("_none") for key in texts}
    assert kinds == set(claims_of(game)) and len(kinds) >= 8


@pytest.mark.parametrize("game", GAMES)
def test_most_costly_decisions_get_a_reason(game: str) -> None:
    """The benchmark measures this over many games."""
    care = Care(look=60, weigh=24, runs=4, again=0)
    found = [
        one for seed in (1, 2) for one in judged(against_random_play(game, 2, seed), care=care)
    ]
    costly = [one for one in found if one.verdict == "mistake" and one.cost >= 0.05]
    explained = [one for one in costly if one.reasons]
    assert len(costly) >= 3 and len(explained) >= 0.7 * len(costly)
    assert all(len(one.reasons) <= MOST_REASONS for one in found)
    assert not any(one.reasons for one in found if one.verdict not in ("mistake", "unclear"))


# --- what a seat cannot know ----------------------------------------------------------------------


def test_who_chooses_a_start_face_last_is_told_nothing_about_the_others() -> None:
    """U4: the last choice shows the faces of all, which this player did not know."""
    match = lampion.new("lumens", 2, seed=3)
    for seat in (0, 1):
        position, legal = Position(match.game, 2, match.state), match.legal_ids(seat).tolist()
        assert (compare(position, seat, *legal) is None) == (seat == 1)
        assert seat == 0 or reasons(position, seat, *legal) == ()
        match.submit(legal[0], seat)


@pytest.mark.parametrize("game", ["lanterns", "lumens"])
def test_hidden_hands_change_no_reason(game: str) -> None:
    match, changed = against_random_play(game, 3, 2), 0
    for ply, entry, position in match.walk():
        seat, legal = entry.actor, position.legal_ids(entry.actor).tolist()
        if seat < 0 or len(legal) < 2 or ply % 5:
            continue
        seen = position.seen_from(seat)
        play.determinize_at(seen.batch, 0, seat, new_rng(9))
        other = Position(match.game, 3, seen)
        changed += other.state.tobytes() != position.state.tobytes()
        pair = legal[0], legal[-1]
        assert reasons(position, seat, *pair) == reasons(other, seat, *pair)
    assert changed > 2


# --- positions ------------------------------------------------------------------------------------


def said(match: Match, played: str, best: str, seat: int | None = None) -> list[str]:
    """All claims about two actions of a match, in English."""
    actor = match.to_act if seat is None else seat
    position = Position(match.game, match.players, match.state)
    pair = (position.parsed(actor, text) for text in (played, best))
    found = compare(position, actor, *pair)
    assert found is not None
    reader = Reader(match.game.NAME, ("Ann", "Bo", "Cy", "Di"))
    return told(tuple(all_claims(match.game.NAME, found)), reader)


def assert_only(match: Match, played: str, best: str, sentence: str) -> None:
    """The sentence is said of the first action beside the second, and not the other way round."""
    assert sentence in said(match, played, best)
    assert sentence not in said(match, best, played)


def test_lanterns_a_card_that_completes_the_set_of_another() -> None:
    """The tile brings its player nothing less either way: what differs is what Bo gets."""
    match = lanterns.position(2, cards=["", "ROGPWK"], hands=[[1, 2, 3]])
    to_bo = {
        event["color"]: text
        for text in match.legal_actions()
        for event in match.preview(match.game.parse_action(match.state, 0, text), 0)
        if event.get("cause") == "facing" and event["player"] == 1
    }
    other = next(text for color, text in to_bo.items() if color != "B")
    sentence = "It gave Bo a blue lantern, which completes seven unique."
    assert_only(match, to_bo["B"], other, sentence)


def test_lanterns_dedicate_before_the_stack_drops() -> None:
    match = lanterns.position(2, cards=["RRRR", "OOOO"])
    placing = match.legal_actions()[-1]
    sentence = (
        "Bo holds four of a kind, too: the stack pays 8 honor now and only 7 after the next"
        " dedication."
    )
    assert_only(match, placing, "d4:R", sentence)
    alone = lanterns.position(2, cards=["RRRR", "OOO"])
    assert sentence not in said(alone, placing, "d4:R")
    assert "Dedicating four of a kind would have paid 8 honor right away." in said(
        alone, placing, "d4:R"
    )


def test_lanterns_a_last_turn_without_the_dedication() -> None:
    match = lanterns.position(2, cards=["ROGBPWK"], hands=[[], []], left_to_draw=0)
    sentence = "This was the last turn, and seven unique could still be dedicated for 10 honor."
    assert_only(match, "pass", "d7", sentence)


def test_lanterns_an_exchange_for_nothing() -> None:
    match = lanterns.position(2, cards=["RRO"], favors=[2])
    placing = match.legal_actions()[-1]
    sentence = "The exchange cost 2 favors and completes no set."
    assert_only(match, "xR>B", placing, sentence)
    useful = lanterns.position(2, cards=["RRRO"], favors=[2])
    assert sentence not in said(useful, "xO>R", useful.legal_actions()[-1])


def test_lumens_a_token_that_can_be_covered_at_once() -> None:
    """Green's 2 on c6 counts to c4, and nobody counts to b3."""
    match = lumens.position("y1@c3 g2@c6", active=0)
    sentence = "Bo can cover the 6 on c4 right away; nobody can cover the token of the better move."
    assert_only(match, "c4=6", "b3=6", sentence)


def test_lumens_a_player_who_could_be_shut_out() -> None:
    match = lumens.position("y1@c3 g1@c4", active=0, players=2)
    assert_only(match, "b3=6", "c4=6", "The better move leaves Bo nowhere to place.")
    assert_only(match, "b3=6", "c4=6", "The better move covers a 1 of Bo on c4.")


def test_lumens_the_right_of_the_start_marker() -> None:
    match = lumens.position("y1@a15 r6@o1", active=0)
    spent = "It uses up the right to return to the start marker, which the better move keeps."
    assert_only(match, "a15=6", "b15=6", spent)
    assert_only(match, "a15=6", "b15=6", "It covers one of the player’s own tokens, a 1 on a15.")


def test_dice_a_color_of_which_no_area_is_left() -> None:
    match = lanterns_dice.position(2)
    match.submit("rRBOW")
    state = match.state.copy()
    assert isinstance(state, DiceState)
    first = next(text for text in ("t0", "t1", "t2", "t3"))
    faced = match.copy()
    faced.submit(first)
    color = "ROWGBP".index(faced.view(0)["seats"][0]["die"])
    state.shaded[0] |= state.color_areas[state.sheets[0], color]
    empty = starting_at(match, state)
    names = {"R": "red", "O": "orange", "W": "white", "B": "blue"}
    word = names["ROWGBP"[color]]
    sentence = f"The die is {word}, and no area of that color is left on the lake."
    assert_only(empty, first, "t1", sentence)
    assert sentence not in said(match, first, "t1")


def test_dice_gifts_left_unused_and_gifts_spent() -> None:
    match = lanterns_dice.at_the_die(lanterns_dice.position(2, gifts=[3, 0]))
    while "e1" not in match.legal_actions(0):
        match.submit("skip", 0)
    sentence = "There were 3 gifts at hand, and 1 would have bought one of the emperor’s actions."
    assert_only(match, "skip", "e1", sentence)
    assert_only(match, "e1", "skip", "It paid a gift, and the better move pays none.")
