"""What a strong player would do in a position of a record, found by a browser or by the server."""

from __future__ import annotations

import base64
from typing import Any

import msgspec
import pytest

import lampion
from lampion.bots.analysis import Analysis, MoveValue
from lampion.bots.task import solve
from lampion.core.errors import LampionError
from lampion.core.match import Match
from lampion.core.messages import game_text, text
from lampion.core.replay import match_from_record, positions
from lampion.core.types import CHANCE
from lampion.server import wire
from lampion.server.study import hints, suggestions
from lampion.server.study.replay import record_in
from tests.server.support import Person
from tests.support import GAMES, Case, finished

SECRETIVE = ("lanterns", "lumens")
"""Games in which a seat holds what others may not see."""


def content(match: Match, **changed: Any) -> dict[str, Any]:
    """A match as a page sends it."""
    built = msgspec.to_builtins(match.to_record(reveal_seed=True))
    return {**built, **changed}


def played(game: str) -> Match:
    return finished(Case(game, 3, {}), 11)


def decisions(match: Match) -> list[tuple[int, int]]:
    """Plies at which a seat is to act, and that seat."""
    return [(at.ply, entry.actor) for at, entry in positions(match) if entry.actor != CHANCE]


@pytest.mark.parametrize("game", GAMES)
def test_a_search_is_given_what_the_seat_knew_there(game: str) -> None:
    match = played(game)
    for ply, seat in decisions(match)[::7]:
        task = suggestions.task(wire.ReplayTaskRequest(seat, record=content(match), ply=ply))
        then = match.at(ply)
        assert base64.b64decode(task.state) == then.seen_from(seat).tobytes()
        assert task.legal == then.legal_ids(seat).tolist() and task.seat == seat


@pytest.mark.parametrize("game", GAMES)
def test_what_came_later_changes_nothing(game: str) -> None:
    match = played(game)
    ply, seat = decisions(match)[9]
    whole = content(match)
    short = content(match, log=whole["log"][:ply], scores=None, winners=None)
    assert _known(whole, ply, seat) == _known(short, ply, seat)


@pytest.mark.parametrize("game", SECRETIVE)
def test_what_others_held_changes_nothing(game: str) -> None:
    """Another seat was dealt something else: its true state differs, the search's does not."""
    match = played(game)
    ply, seat = decisions(match)[0]
    log = content(match)["log"][:ply]
    other = _dealt_otherwise(match.at(ply), seat)
    there = content(match, log=log, scores=None, winners=None)
    elsewhere = content(match, log=other, scores=None, winners=None)
    states = [match_from_record(record_in(each)).state.tobytes() for each in (there, elsewhere)]
    assert states[0] != states[1]
    assert _known(there, ply, seat) == _known(elsewhere, ply, seat)


def _known(record: dict[str, Any], ply: int, seat: int) -> tuple[str, list[int]]:
    task = suggestions.task(wire.ReplayTaskRequest(seat, record=record, ply=ply))
    return task.state, task.legal


def _dealt_otherwise(match: Match, seat: int) -> list[tuple[int | str, str]]:
    """The log with another outcome of one draw that this seat was not shown."""
    log: list[tuple[int | str, str]] = [
        ("c" if entry.actor == CHANCE else entry.actor, entry.text) for entry in match.log
    ]
    drawn = {text for _, text in log}
    for at, entry in positions(match):
        if entry.hidden and entry.owner not in (seat, CHANCE):
            free = [text for text in at.legal_actions(CHANCE) if text not in drawn]
            log[at.ply] = ("c", free[0])
            return log
    raise AssertionError("nothing was dealt in secret")


@pytest.mark.parametrize("game", GAMES)
def test_what_a_browser_finds_is_put_into_words(game: str) -> None:
    match = played(game)
    ply, seat = decisions(match)[4]
    record = content(match)
    task = suggestions.task(wire.ReplayTaskRequest(seat, record=record, ply=ply))
    found = solve(msgspec.structs.replace(task, iterations=30), match.at(ply).seen_from(seat))
    best = zip(found.actions[:3], found.visits[:3], strict=False)
    moves = [wire.HintFound(action, visits, 0.5) for action, visits in best]
    tries = sum(found.visits)
    hint = suggestions.told(
        wire.ReplayHintRequest(seat, found=moves, tries=tries, record=record, ply=ply)
    )
    then = match.at(ply)
    assert hint.ply == ply
    assert [move.action for move in hint.moves] == [
        then.action_text(move.action, seat) for move in moves
    ]
    assert [move.share for move in hint.moves] == [move.visits / tries for move in moves]
    assert hint.moves[0].events == then.preview(moves[0].action, seat) == hint.events
    kind = then.game.ACTIONS.block_of(moves[0].action).name
    assert hint.sentence.startswith(f"Best here, as marked: {game_text(game, 'kinds', kind)}.")
    assert hint.sentence.endswith("Looking ahead, other moves are about as good.")


REASONS = {
    "en": {
        "only": "It is the only thing you can do.",
        "clear": "Looking ahead, nothing else comes close.",
        "better": "Looking ahead, it comes out a little better than the rest.",
        "close": "Looking ahead, other moves are about as good.",
    },
    "fr": {
        "only": "C’est la seule chose que vous puissiez faire.",
        "clear": "En regardant plus loin, aucun autre coup ne s’en approche.",
        "better": "En regardant plus loin, il vaut un peu mieux que les autres.",
        "close": "En regardant plus loin, d’autres coups le valent à peu près.",
    },
    "it": {
        "only": "È l’unica cosa che puoi fare.",
        "clear": "Guardando più avanti, nessun’altra ci si avvicina.",
        "better": "Guardando più avanti, è un po’ meglio delle altre.",
        "close": "Guardando più avanti, altre mosse valgono più o meno lo stesso.",
    },
}
VALUES = {"only": (0.5,), "clear": (0.6, 0.5, 0.1), "better": (0.6, 0.57), "close": (0.6, 0.595)}
"""What the search thinks of its best moves."""


@pytest.mark.parametrize("reason", VALUES)
@pytest.mark.parametrize("language", REASONS)
def test_a_hint_says_how_sure_it_is(language: str, reason: str) -> None:
    values = VALUES[reason]
    match, ply, seat, legal = next(
        (match, ply, seat, legal)
        for match in map(played, GAMES)
        for ply, seat in decisions(match)
        if len(legal := match.at(ply).legal_ids(seat)) >= len(values)
        and (len(legal) == 1) == (reason == "only")
    )
    best = zip(legal.tolist(), values, strict=False)
    hint = suggestions.told(
        wire.ReplayHintRequest(
            seat,
            found=[wire.HintFound(action, 10, value) for action, value in best],
            language=language,
            record=content(match),
            ply=ply,
        )
    )
    assert hint.sentence.endswith(REASONS[language][reason])


@pytest.mark.parametrize("language", REASONS)
@pytest.mark.parametrize("game", GAMES)
def test_no_hint_lacks_a_reason(game: str, language: str) -> None:
    """Between what to do and how sure the search is, whatever kind of action is the best one."""
    match = played(game)
    kinds = {block.name for block in match.game.ACTIONS.blocks}
    left = dict.fromkeys(kinds, 3)  # the reasons of a kind differ
    for at, entry in positions(match):
        if entry.actor == CHANCE:
            continue
        then = match.at(at.ply)
        for action in then.legal_ids(entry.actor).tolist():
            kind = match.game.ACTIONS.block_of(action).name
            if not left[kind]:
                continue
            left[kind] -= 1
            best = MoveValue(action, then.action_text(action, entry.actor), 0.5, 1, [])
            sentence = hints.told(then, Analysis(entry.actor, [best], 1), language).sentence
            deed = text("hints", "best", language, move=game_text(game, "kinds", kind, language))
            sure = tuple(REASONS[language].values())
            assert sentence.startswith(f"{deed}. ") and sentence.endswith(sure)
            assert not sentence.removeprefix(f"{deed}. ").startswith(sure), (kind, sentence)
    assert sum(not num for num in left.values()) >= 2


def test_the_server_finds_a_legal_move_itself(ada: Person) -> None:
    match = played("lumens")
    ply, seat = decisions(match)[-1]
    body = {"record": content(match), "ply": ply, "seat": seat, "language": "it"}
    hint = ada.call("POST", "/api/replay/hint", body)
    assert hint["moves"][0]["action"] in match.at(ply).legal_actions(seat)
    assert hint["sentence"].startswith("La mossa migliore, come segnato: ")
    task = ada.call(
        "POST", "/api/replay/hint/task", {key: body[key] for key in ("record", "ply", "seat")}
    )
    assert task["game"] == "lumens" and task["seat"] == seat


def test_an_answer_that_is_not_legal_is_refused() -> None:
    match = played("lumens")
    ply, seat = decisions(match)[3]
    found = [wire.HintFound(10**6, 1, 0.5)]
    with pytest.raises(LampionError) as refused:
        suggestions.told(wire.ReplayHintRequest(seat, found=found, record=content(match), ply=ply))
    assert refused.value.code == "stale"


def _refusal(record: dict[str, Any], ply: int, seat: int) -> tuple[str, str]:
    with pytest.raises(LampionError) as refused:
        suggestions.position(record, ply, seat)
    return refused.value.code, refused.value.where


def test_a_ply_beyond_the_log_is_refused() -> None:
    match = played("lumens")
    assert _refusal(content(match), match.ply + 1, 0) == ("invalid-query", "ply")


def test_a_seat_that_the_game_does_not_have_is_refused() -> None:
    match = played("lumens")
    assert _refusal(content(match), 0, 3) == ("invalid-query", "seat")


def test_a_seat_that_was_not_to_act_is_refused() -> None:
    match = played("lanterns")
    ply, seat = decisions(match)[2]
    other = (seat + 1) % 3
    assert _refusal(content(match), ply, other) == ("not-to-act", f"ply {ply}, seat {other}")
    chance = next(at.ply for at, entry in positions(match) if entry.actor == CHANCE)
    assert _refusal(content(match), chance, 0)[0] == "not-to-act"
    assert _refusal(content(match), match.ply, 0)[0] == "not-to-act"


def test_a_game_that_still_runs_is_refused_and_a_stopped_one_is_not() -> None:
    match = lampion.new("lanterns", 2, seed=4)
    running = msgspec.to_builtins(match.to_record(reveal_seed=False))
    assert _refusal(running, match.ply, match.to_act) == ("not-ended", "record")
    assert _refusal({**running, "fairness": None}, match.ply, match.to_act)[0] == "not-ended"
    stopped = suggestions.position(content(match), match.ply, match.to_act)
    assert stopped.ply == match.ply


def test_a_running_table_gives_no_record_to_ask_about(ada: Person) -> None:
    table = ada.table("me", "novice", game="lumens")
    assert ada.problem("GET", f"/api/tables/{table['id']}/record")["code"] == "no-record"


WRONG: tuple[dict[str, object], ...] = (
    {"ply": 0},
    {"seat": 0},
    {"ply": -1, "seat": 0},
    {"ply": 0, "seat": 99},
    {"ply": "0", "seat": 0},
)


def test_bad_requests_get_a_problem_with_a_code(ada: Person) -> None:
    record = content(played("lumens"))
    for wrong in WRONG:
        for path in ("/api/replay/hint", "/api/replay/hint/task"):
            problem = ada.problem("POST", path, {"record": record, **wrong})
            assert problem["code"] == "invalid-message"
    body = {"record": {**record, "rules": 99}, "ply": 0, "seat": 0}
    assert ada.problem("POST", "/api/replay/hint/task", body)["code"] == "other-rules"
