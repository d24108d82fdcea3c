"""The rooms of Lumens and what they pay: U11 and U12. Kept up to date with every token, so
standings are always at hand."""

from lampion.core.compile import rule
from lampion.core.trail import note
from lampion.core.types import Player
from lampion.games.lumens.components import Face, Room
from lampion.games.lumens.rules_tokens import token_face, token_owner
from lampion.games.lumens.state import EMPTY, POINTS_CHANGED, State


@rule
def count_pips(state: State, player: Player, square: int, face: Face, covered: int) -> None:
    """U11: the pips of top tokens count in the room they lie in; a passage pays nothing."""
    room = int(state.room[square])
    if room < 0:
        return
    if covered != EMPTY:
        state.room_pips[room, token_owner(covered)] -= token_face(covered)
    state.room_pips[room, player] += face
    score_room(state, room)


@rule
def score_room(state: State, room: Room) -> None:
    for player in range(state.num_players):
        change = room_pays(state, room, player) - int(state.room_points[room, player])
        if change != 0:
            state.room_points[room, player] += change
            state.points[player] += change
            note(state, POINTS_CHANGED, player, room, 0, 0, change)


@rule
def room_pays(state: State, room: Room, player: Player) -> int:
    """U11: nobody with more pips is the first place, just one the second; so a tie for
    the first leaves no second."""
    pips = state.room_pips[room, player]
    if pips == 0:
        return 0
    num_ahead = 0
    for other in range(state.num_players):
        num_ahead += state.room_pips[room, other] > pips
    return state.place_points[num_ahead]


@rule(inline=True)
def tie_break(state: State, player: Player) -> int:
    """U12: pips in the center room."""
    return state.room_pips[state.center, player]


@rule
def is_ahead(state: State, a: Player, b: Player) -> bool:
    """U12: more points; then what breaks ties."""
    if state.points[a] != state.points[b]:
        return state.points[a] > state.points[b]
    return tie_break(state, a) > tie_break(state, b)
