"""Positions of Lumens for tests, written as on the table."""

from __future__ import annotations

from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.types import NO_PLAYER
from lampion.games.lumens.actions import square_number
from lampion.games.lumens.components import COLOR_NAMES, LumensFile
from lampion.games.lumens.notation import kind_text
from lampion.games.lumens.rules_board import put_start_token, put_token
from lampion.games.lumens.state import EMPTY, NO_KIND, PLAY_PHASE, State
from tests.support import starting_at

COLOR_LETTERS = "".join(name[0] for name in COLOR_NAMES)
YELLOW, GREEN, RED, VIOLET = range(4)


def position(
    lights: str,
    *,
    active: int,
    players: int = 4,
    hand: str = "16",
    middle: int = 0,
    components: LumensFile | None = None,
) -> Match:
    """A match in the middle of a game: `lights` such as "v6@a1 r3@d1", the later on top of the
    earlier; chance to be submitted.

    Everybody holds the same kind of token.
    """
    match = Match(find_game("lumens"), players, components=components)
    if players == 3:
        match.submit(f"middle {middle}")
    state = copy_of(match)
    for light in lights.split():
        put_light(state, light)
    kinds = [kind_text(state, kind) for kind in range(len(state.kind_faces))]
    for player in range(players):
        state.hand[player], state.hand_size[player] = kinds.index(hand), 1
    state.has_chosen[:players] = 1
    state.phase, state.active, state.drawer = PLAY_PHASE, active, NO_PLAYER
    return starting_at(match, state)


def copy_of(match: Match) -> State:
    """The state of a match, to be changed and begun with."""
    state = match.state.copy()
    assert isinstance(state, State)
    return state


def put_light(state: State, light: str) -> None:
    """Put a token such as v6@a1 on the board."""
    player, face, square = COLOR_LETTERS.index(light[0]), int(light[1]), square_number(light[3:])
    if square == state.starts[player] and state.top[square] == EMPTY:
        put_start_token(state, player, face)
    else:
        put_token(state, player, square, face)
    state.unshown[player, state.face_kinds[face]] -= 1
    state.num_unshown[player] -= 1


def without_bags(match: Match, *players: int) -> Match:
    """The match with nothing left to these players but the token in hand."""
    state = copy_of(match)
    for player in players:
        state.unshown[player] = 0
        if state.hand[player] != NO_KIND:
            state.unshown[player, state.hand[player]] = 1
        state.num_unshown[player] = state.unshown[player].sum()
    return starting_at(match, state)


def without_hands(match: Match, *players: int) -> Match:
    """The match with no token in the hands of these players."""
    state = copy_of(match)
    state.hand_size[list(players)] = 0
    return starting_at(match, state)


def targets(match: Match) -> set[str]:
    """The squares where the player to act may place."""
    squares = {text.partition("=")[0] for text in match.legal_actions()}
    assert squares == {target["square"] for target in match.view()["targets"]}
    return squares


def reached_from(match: Match, origin: str) -> set[str]:
    """The squares to which one token counts."""
    return {target["square"] for target in match.view()["targets"] if origin in target["origins"]}


def by_right(match: Match) -> set[str]:
    """The squares open by U7."""
    return {target["square"] for target in match.view()["targets"] if target["start_right"]}


def after(players: int, moves: str, **options: str) -> Match:
    """A match after these actions, each of the player to act, draws included: "+16
    +25 a1=6 m9=2 +34 +34 a7=3"."""
    match = Match(find_game("lumens"), players, options)
    for text in moves.replace("middle ", "middle_").split():
        match.submit(text.replace("_", " "))
    return match


def seat(match: Match, player: int, viewer: int | None = None) -> dict[str, object]:
    """A seat as its owner or another viewer sees it."""
    seats: list[dict[str, object]] = match.view(player if viewer is None else viewer)["seats"]
    return seats[player]
