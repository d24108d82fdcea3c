"""Positions of Lanterns for tests, written as on the table."""

from __future__ import annotations

from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.types import NO_PLAYER
from lampion.games.lanterns.components import COLOR_LETTERS, NUM_SIDES, NUM_TILES
from lampion.games.lanterns.rules_lake import lay_tile, remove_from_frontier
from lampion.games.lanterns.state import NO_TILE, State


def position(
    players: int,
    *,
    lake: str = "",
    hands: list[list[int]] | None = None,
    cards: list[str] | None = None,
    supply: str | None = None,
    favors: list[int] | None = None,
    active: int = 0,
    left_to_draw: int | None = None,
    honor: list[int] | None = None,
    tokens_taken: list[int] | None = None,
) -> Match:
    """A match in the middle of a game: `lake` as placements around the start tile, cards as
    letters, chance to be submitted.

    Every hand not given holds the highest tiles that are nowhere else. `tokens_taken` is by stack.
    """
    game = find_game("lanterns")
    state = game.new_state(players, {}, game.read_components(None))
    assert isinstance(state, State)
    for laid in lake.split():
        lay(state, laid)
    _deal(state, hands or [])
    for player, held in enumerate(cards or []):
        set_cards(state, player, held)
    if supply is not None:
        state.supply[:] = [supply.count(letter) for letter in COLOR_LETTERS]
    state.favors[: len(favors or [])] = favors or []
    state.active, state.to_deal, state.drawer = active, 0, NO_PLAYER
    if left_to_draw is not None:
        state.left_to_draw = left_to_draw
    state.honor[: len(honor or [])] = honor or []
    state.tokens_taken[: len(tokens_taken or [])] = tokens_taken or []
    return Match(game, players, start=state)


def lay(state: State, laid: str) -> None:
    """Put a tile such as 17r1@0,-1 on the lake without handing anything out."""
    name, _, place = laid.partition("@")
    tile, rotation = (int(number) for number in name.split("r"))
    x, y = (int(number) for number in place.split(","))
    free = list(
        zip(
            state.frontier_x[: state.num_frontier].tolist(),
            state.frontier_y[: state.num_frontier].tolist(),
            strict=True,
        )
    )
    f = free.index((x, y))
    cell = int(state.frontier[f])
    remove_from_frontier(state, f)
    lay_tile(state, tile * NUM_SIDES + rotation, cell, x, y)


def _deal(state: State, hands: list[list[int]]) -> None:
    taken = {int(laid) // NUM_SIDES for laid in state.laid[: state.num_laid]} | {
        tile for hand in hands for tile in hand
    }
    free = [tile for tile in range(NUM_TILES) if tile not in taken]
    for player in range(state.num_players):
        hand = (
            hands[player] if player < len(hands) else [free.pop() for _ in range(state.hand_tiles)]
        )
        state.hand[player] = hand + [NO_TILE] * (state.hand.shape[1] - len(hand))
        state.hand_size[player] = len(hand)
    state.unseen[:] = NO_TILE
    state.unseen[: len(free)] = free
    state.num_unseen = len(free)


def set_cards(state: State, player: int, held: str) -> None:
    state.lanterns[player] = [held.count(letter) for letter in COLOR_LETTERS]
    state.num_lanterns[player] = len(held)


def cards(match: Match, player: int) -> str:
    """The cards a player holds, as letters in canonical order."""
    return "".join(
        letter * int(count)
        for letter, count in zip(COLOR_LETTERS, match.state.lanterns[player], strict=True)  # type: ignore[attr-defined]
    )


def gains(match: Match, text: str) -> list[str]:
    """Do an action and return the cards that each player gained by it."""
    before = [cards(match, player) for player in range(match.players)]
    match.submit(text)
    return [_more(old, cards(match, player)) for player, old in enumerate(before)]


def _more(before: str, after: str) -> str:
    for letter in before:
        after = after.replace(letter, "", 1)
    return after
