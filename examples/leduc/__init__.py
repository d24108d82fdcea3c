"""Leduc poker, by Finnegan Southey and others at the University of Alberta. Rules P1 to P6; the
rulebook is in `rulebook/`."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

from lampion.core.events import AnyEvent, Telling, Writer, move
from lampion.core.plain import (
    COMPONENTS,
    OPTIONS,
    block_text,
    parse_block_text,
    read_components,
)
from lampion.core.types import CHANCE, SPECTATOR, Action, Json, Player
from lampion.core.views import MatchView, Movement, Told, derived, doc
from leduc.rules import (
    ACTIONS,
    ANTE,
    CALLED,
    CHECKED,
    DEAL,
    DEAL_PHASE,
    DEALT,
    FOLDED,
    NO_CARD,
    RAISED,
    SHOWN,
    TURNED,
    WON,
    State,
    stakes,
)

__all__ = ["ACTIONS", "COMPONENTS", "OPTIONS", "State", "read_components"]

NAME, TITLE = "leduc", "Leduc Poker"
DESIGNER = "Finnegan Southey and others"
RULES_VERSION = 1
NUM_PLAYERS = range(2, 9)
RANKS = "56789TJQK"


def new_state(players: int, options: Mapping[str, str], components: Any) -> State:
    """P1: everybody pays the ante."""
    state = State()
    state.num_players = state.num_left = players
    state.card[:], state.shown[:], state.table_card = NO_CARD, NO_CARD, NO_CARD
    state.paid[:players] = ANTE
    state.phase, state.active = DEAL_PHASE, CHANCE
    return state


# --- notation ---------------------------------------------------------------------------------------------------------------------


def action_text(state: State, player: Player, action: Action) -> str:
    return block_text(ACTIONS, action, RANKS)


def hidden_text(state: State, player: Player, action: Action) -> str:
    return f"{ACTIONS.block_of(action).name} ?"


def owner(state: State, player: Player) -> Player:
    return state.num_dealt


def parse_action(state: State, player: Player, text: str) -> Action:
    return parse_block_text(ACTIONS, text, RANKS)


def refusal(state: State, player: Player, action: Action) -> tuple[str, str]:
    """The rule by which an action was refused, and the key of the reason in the message catalogue."""
    reasons = {"fold": "nothing-to-pay", "raise": "two-raises"}
    block = ACTIONS.block_of(action)
    return block.rule, reasons.get(block.name, "no-card-left")


def position_text(state: State) -> str:
    return f"{int(state.paid.sum())} coins in the pot, {state.num_left} players left"


# --- what a seat sees -------------------------------------------------------------------------------------------------------------


class Table(TypedDict):
    """The game's part of a view."""

    cards: Annotated[
        list[str | None], doc("by player: one's own card, and in the end those that are shown")
    ]
    table_card: Annotated[
        str | None, doc("the card that all players share, from the second round on")
    ]
    paid: Annotated[list[int], doc("coins in the pot, by player")]
    folded: Annotated[list[bool], doc("by player")]
    to_pay: Annotated[int, derived("what a player must have paid to stay")]


class View(MatchView, Table):
    """The table as a seat sees it."""


class CardMoved(Movement):
    """A card is dealt, turned over on the table, or shown; a dealt one is told to its owner alone."""

    cause: Literal["dealt", "turned", "shown"]
    card: NotRequired[str]


class CoinsMoved(Movement):
    """Coins go into the pot, or out of it."""

    cause: Literal["called", "raised", "won"]


class Deed(Told):
    """A player folds, or stays without paying."""

    event: Literal["folded", "checked"]
    player: int


Event: TypeAlias = CardMoved | CoinsMoved | Deed


def view(seen: State, seat: Player) -> Table:
    public: Table = {
        "cards": [_card(rank) for rank in seen.shown[: seen.num_players].tolist()],
        "table_card": _card(seen.table_card),
        "paid": seen.paid[: seen.num_players].tolist(),
        "folded": [bool(out) for out in seen.folded[: seen.num_players]],
        "to_pay": int(stakes(seen)),
    }
    return public if seat == SPECTATOR else own_view(public, seen, seat)


def own_view(public: Table, seen: State, seat: Player) -> Table:
    cards = [*public["cards"]]
    cards[seat] = _card(seen.card.item(seat))
    return {**public, "cards": cards}


def _card(rank: int) -> str | None:
    return None if rank == NO_CARD else RANKS[rank]


def events(trail: npt.NDArray[np.int32], telling: Telling) -> list[AnyEvent]:
    """What an action did, in order."""
    return [_EVENTS[cause](telling, *row) for cause, *row in trail.tolist()]


def _dealt(t: Telling, player: Player, *_: int) -> AnyEvent:
    told = move("dealt", player, "card", "deck", f"seat:{player}")
    if t.action is None:
        return t.event(told)
    card = RANKS[t.action - DEAL]
    t.set(card, "cards", player)
    return t.event({**told, "card": card})


def _turned(t: Telling, player: Player, rank: int, *_: int) -> AnyEvent:
    t.set(RANKS[rank], "table_card")
    return t.event({**move("turned", player, "card", "deck", "table"), "card": RANKS[rank]})


def _shown(t: Telling, player: Player, rank: int, *_: int) -> AnyEvent:
    t.set(RANKS[rank], "cards", player)
    told = move("shown", player, "card", f"seat:{player}", f"seat:{player}")
    return t.event({**told, "card": RANKS[rank]})


def _paid(cause: str) -> Writer:
    def write(t: Telling, player: Player, _: int, __: int, ___: int, coins: int) -> AnyEvent:
        t.add(coins, "paid", player)
        return t.event(move(cause, player, "coin", f"seat:{player}", "pot", coins))

    return write


def _won(t: Telling, player: Player, _: int, __: int, ___: int, coins: int) -> AnyEvent:
    return t.event(move("won", player, "coin", "pot", f"seat:{player}", coins))


def _folded(t: Telling, player: Player, *_: int) -> AnyEvent:
    t.set(True, "folded", player)
    return t.event({"event": "folded", "player": player})


def _checked(t: Telling, player: Player, *_: int) -> AnyEvent:
    return t.event({"event": "checked", "player": player})


_EVENTS: dict[int, Writer] = {
    DEALT: _dealt, TURNED: _turned, FOLDED: _folded, CHECKED: _checked,
    CALLED: _paid("called"), RAISED: _paid("raised"), SHOWN: _shown, WON: _won,
}  # fmt: skip


# --- drawings ---------------------------------------------------------------------------------------------------------------------

_WIDTH, _ROW = 320, 54


def draw_text(view: dict[str, Json]) -> str:
    lines = [
        f"{view['cards'][seat] or '?'}  {name}: {view['paid'][seat]} in the pot{', out' if view['folded'][seat] else ''}"
        for seat, name in enumerate(view["names"])
    ]
    return "\n".join([f"table: {view['table_card'] or '-'}   pot: {sum(view['paid'])}", "", *lines])


def draw_svg(view: dict[str, Json]) -> str:
    """The pot and its card, a line for each player, and three places to press."""
    height = _ROW * (len(view["names"]) + 2) + 24
    pot = _card_svg(_WIDTH / 2 - 50, 12, view["table_card"]) + _coins(
        _WIDTH / 2 + 6, 44, sum(view["paid"]), 24
    )
    seats = "".join(_seat(view, seat) for seat in range(len(view["names"])))
    buttons = "".join(
        _button(number, name, height - 42) for number, name in enumerate(("fold", "call", "raise"))
    )
    felt = f'<rect width="{_WIDTH}" height="{height}" rx="18" fill="#14532d"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}">{felt}{pot}{seats}{buttons}</svg>'


def _seat(view: dict[str, Json], seat: int) -> str:
    y = 14 + _ROW * (seat + 1)
    ring = '<rect x="8" y="{}" width="304" height="50" rx="10" fill="none" stroke="#f2b441" stroke-width="2"/>'
    look = 'opacity="0.4"' if view["folded"][seat] else ""
    name = f'<text x="56" y="{y + 32}" font-size="18" fill="#fff" data-name="{seat}">player {seat + 1}</text>'
    parts = (
        _card_svg(16, y + 2, view["cards"][seat])
        + name
        + _coins(250, y + 32, view["paid"][seat], 18)
    )
    return f"<g {look}>{parts}{ring.format(y) if seat in view['actors'] else ''}</g>"


def _card_svg(x: float, y: float, rank: str | None) -> str:
    """Face up, or the back of a card."""
    fill, text = ("#f7efe0", rank) if rank else ("#7a1f2b", "")
    return (
        f'<rect x="{x}" y="{y}" width="32" height="46" rx="5" fill="{fill}" stroke="#f7efe0" stroke-width="2"/>'
        f'<text x="{x + 16}" y="{y + 32}" font-size="26" font-weight="bold" text-anchor="middle" fill="#2a2238">{text}</text>'
    )


def _coins(x: float, y: float, count: int, size: int) -> str:
    coin = f'<circle cx="{x + 8}" cy="{y - size * 0.34:.1f}" r="{size * 0.42:.1f}" fill="#f2b441" stroke="#8a5a34"/>'
    return f'{coin}<text x="{x + 12 + size * 0.42:.1f}" y="{y}" font-size="{size}" fill="#fff">{count}</text>'


def _button(number: int, name: str, y: int) -> str:
    x = 12 + 100 * number
    return (
        f'<g data-action="{name}"><rect x="{x}" y="{y}" width="96" height="34" rx="17" fill="#1e2a52" stroke="#f2b441"/>'
        f'<text x="{x + 48}" y="{y + 23}" font-size="17" text-anchor="middle" fill="#fff">{name}</text></g>'
    )
