"""An oracle for Lanterns: The Harvest Festival - plain, slow and meant to be obviously correct.

It follows the rules step by step and cites their numbers (L1 ... L15). Nothing here is cached or clever: every question
is answered by looking at the whole position again.
"""

from itertools import combinations
from typing import Any

Actor = int | str  # a player 0..n-1, or "c" for chance
Cell = tuple[int, int]  # x to the east, y to the north; the start tile lies at (0, 0)
PlacedTile = tuple[int, int]  # tile number, quarter turns clockwise

CHANCE = "c"
START_CELL: Cell = (0, 0)

# The sides of a tile in the order in which they are printed and in which the matching bonus is paid (L12).
NORTH, EAST, SOUTH, WEST = range(4)
SIDES = (NORTH, EAST, SOUTH, WEST)
STEP_TO: dict[int, Cell] = {NORTH: (0, 1), EAST: (1, 0), SOUTH: (0, -1), WEST: (-1, 0)}

# Which side of a tile faces player 0, 1, ...: clockwise is south, west, north, east; three players leave north empty.
SEATS = {2: (SOUTH, NORTH), 3: (SOUTH, WEST, EAST), 4: (SOUTH, WEST, NORTH, EAST)}

# The three steps of a turn.
EXCHANGE, DEDICATE, PLACE = 1, 2, 3

# The sets of L7: the first two characters of the action text and the stack they are paid from.
STACK_OF = {"d4": "four_of_a_kind", "d3": "three_pairs", "d7": "seven_unique"}


def opposite(side: int) -> int:
    """The side that touches this one, seen from the neighbor."""
    return (side + 2) % 4


def beside(cell: Cell, side: int) -> Cell:
    """The cell orthogonally adjacent to `cell` across `side`."""
    return (cell[0] + STEP_TO[side][0], cell[1] + STEP_TO[side][1])


def turned(sides: str, rotation: int) -> str:
    """The sides north, east, south, west after so many quarter turns clockwise: one turn brings west to the north."""
    for _ in range(rotation):
        sides = sides[3] + sides[:3]
    return sides


class Oracle:
    """One game of Lanterns, from the set-up to the score."""

    def __init__(self, players: int, options: dict[str, str], components: dict[str, Any]) -> None:
        """Set the game up (L1 - L5); the tiles are still to be dealt."""
        if options:
            raise ValueError("Lanterns has no options")
        self.players = players
        self.components = components
        self.colors: str = components["colors"]
        self.seats = SEATS[players]
        setup = components["setup"][str(players)]
        self.left_to_draw: int = setup["draw_stack"]
        if self.left_to_draw % players:
            raise ValueError("L14 wants the same number of tiles for every player")

        self.lake: dict[Cell, PlacedTile] = {START_CELL: (0, self.start_rotation())}
        self.unseen = set(range(1, len(components["tiles"])))
        self.hands: list[set[int]] = [set() for _ in range(players)]
        self.supply = {color: int(setup["cards_per_color"]) for color in self.colors}
        self.cards = [dict.fromkeys(self.colors, 0) for _ in range(players)]
        self.favors = [0] * players
        self.honor = [0] * players
        self.stacks = {name: self.stack_in_play(name) for name in STACK_OF.values()}

        self.phase = "deal"  # then "turn" and "draw" by turns, "final", "over"
        self.active = 0
        self.step = EXCHANGE  # the earliest step of the turn that is still open
        self.distribute(START_CELL)  # L3

    # ---- set-up -----------------------------------------------------------------------------------------------------

    def start_rotation(self) -> int:
        """L1: player 0, in the south, faces the red side of the start tile."""
        sides = self.printed_sides(0)
        return next(rotation for rotation in range(4) if turned(sides, rotation)[SOUTH] == "R")

    def stack_in_play(self, name: str) -> list[int]:
        """L4: two players leave out the tokens of 3 and 4 dots, three players those of 4 dots."""
        tokens = self.components["dedications"][name]
        return [int(token["honor"]) for token in tokens if token["dots"] <= self.players]

    # ---- whose move it is -------------------------------------------------------------------------------------------

    def to_act(self) -> Actor | None:
        """The next to act: chance deals and draws, otherwise the active player acts."""
        if self.phase == "over":
            return None
        if self.phase in ("deal", "draw"):
            return CHANCE
        return self.active

    def may_act(self) -> list[int]:
        """Only the active player ever has a choice."""
        return [self.active] if self.phase in ("turn", "final") else []

    def legal(self, actor: Actor) -> dict[str, int]:
        """Every action open to `actor` now, with its weight."""
        if actor != self.to_act():
            return {}
        if actor == CHANCE:
            return {f"+{tile}": 1 for tile in sorted(self.unseen)}
        return dict.fromkeys(self.choices(), 1)

    def choices(self) -> list[str]:
        """All that the active player may do now: an optional step is skipped by taking a later one."""
        texts: list[str] = []
        if self.step <= EXCHANGE:
            texts += self.exchanges()
        if self.step <= DEDICATE:
            texts += self.dedications()
        if self.phase == "final":  # L14: no card limit and no placing
            return [*texts, "pass"]
        if self.over_card_limit():
            return texts + self.discards()
        return texts + self.placements()

    # ---- what a player may do ---------------------------------------------------------------------------------------

    def exchanges(self) -> list[str]:
        """L6: two favors and a card for a card of another color whose pile is not empty."""
        if self.favors[self.active] < self.components["exchange_cost_favors"]:
            return []
        own = self.cards[self.active]
        return [
            f"x{given}>{taken}"
            for given in self.colors
            for taken in self.colors
            if own[given] >= 1 and taken != given and self.supply[taken] >= 1
        ]

    def dedications(self) -> list[str]:
        """L7: four of a kind, three pairs of different colors, or one card of each of the seven colors."""
        own = self.cards[self.active]
        texts = [f"d4:{color}" for color in self.colors if own[color] >= 4]
        trios = combinations(self.colors, 3)
        texts += ["d3:" + "".join(trio) for trio in trios if all(own[color] >= 2 for color in trio)]
        if all(own[color] >= 1 for color in self.colors):
            texts.append("d7")
        return texts

    def discards(self) -> list[str]:
        """L8: one card of any color the player holds."""
        return [f"-{color}" for color in self.colors if self.cards[self.active][color] >= 1]

    def placements(self) -> list[str]:
        """L9: any tile of the hand, in any rotation that looks different, beside any tile of the lake."""
        return [
            f"{tile}r{rotation}@{x},{y}"
            for tile in sorted(self.hands[self.active])
            for rotation in range(4)
            if rotation == self.lowest_rotation(tile, rotation)
            for x, y in self.free_cells()
        ]

    def over_card_limit(self) -> bool:
        """L8: whether the active player holds too many cards to place a tile."""
        limit: int = self.components["card_limit_before_placing"]
        return self.card_count(self.active) > limit

    def free_cells(self) -> list[Cell]:
        """L9: the empty cells orthogonally adjacent to a tile of the lake."""
        around = {beside(cell, side) for cell in self.lake for side in SIDES}
        return sorted(around - set(self.lake))

    # ---- acting -----------------------------------------------------------------------------------------------------

    def apply(self, actor: Actor, text: str) -> None:
        """Carry out one legal action."""
        if text not in self.legal(actor):
            raise ValueError(f"{text!r} is not legal for {actor!r}")
        if text[0] == "+":
            self.receive_tile(int(text[1:]))
        elif text[0] == "x":
            self.exchange(text[1], text[3])
        elif text[0] == "d":
            self.dedicate(text)
        elif text[0] == "-":
            self.discard(text[1])
        elif text == "pass":
            self.next_turn()
        else:
            self.place(text)

    def receive_tile(self, tile: int) -> None:
        """A tile goes to the player to draw: in the deal (L2) or at the end of a turn (L13)."""
        self.unseen.remove(tile)
        self.hands[self.receiver()].add(tile)
        if self.phase == "deal":
            if all(len(hand) == self.components["hand_tiles"] for hand in self.hands):
                self.phase = "turn"
        else:
            self.left_to_draw -= 1
            self.draw_or_end_turn()

    def receiver(self) -> int:
        """The deal goes round the table from player 0: next is the first player with the fewest tiles."""
        if self.phase == "deal":
            return min(range(self.players), key=lambda player: len(self.hands[player]))
        return self.active

    def exchange(self, given: str, taken: str) -> None:
        """L6, the first step of the turn."""
        self.favors[self.active] -= self.components["exchange_cost_favors"]
        self.return_card(given)
        self.gain_card(self.active, taken)
        self.step = DEDICATE

    def dedicate(self, text: str) -> None:
        """L7, the second step: an empty stack keeps paying the generic honor."""
        for color in self.set_of_cards(text):
            self.return_card(color)
        stack = self.stacks[STACK_OF[text[:2]]]
        generic: int = self.components["generic_dedication_honor"]
        self.honor[self.active] += stack.pop(0) if stack else generic
        self.step = PLACE

    def set_of_cards(self, text: str) -> str:
        """The cards that a dedication returns, one letter each."""
        if text == "d7":
            return self.colors
        kind, letters = text.split(":")
        return letters * 4 if kind == "d4" else letters * 2

    def discard(self, color: str) -> None:
        """L8: discarding closes steps 1 and 2."""
        self.return_card(color)
        self.step = PLACE

    def place(self, text: str) -> None:
        """The third step: the tile (L9), the matching bonus (L10), the distribution (L11), the draw (L13)."""
        tile, rotation, x, y = (
            int(part) for part in text.replace("r", ",").replace("@", ",").split(",")
        )
        cell = (x, y)
        self.hands[self.active].remove(tile)
        self.lake[cell] = (tile, rotation)
        self.matching_bonus(cell)
        self.distribute(cell)
        self.draw_or_end_turn()

    def matching_bonus(self, cell: Cell) -> None:
        """L10, for the active player only, side by side: north, east, south, west (L12)."""
        matches = [side for side in SIDES if self.matches(cell, side)]
        for side in matches:
            self.gain_card(self.active, self.color_at(cell, side))
            if self.has_platform(beside(cell, side)):
                self.favors[self.active] += 1
        if matches and self.has_platform(cell):
            self.favors[self.active] += 1

    def distribute(self, cell: Cell) -> None:
        """L11: clockwise from the active player, each gets the color that faces their seat (L3 at the set-up)."""
        for place in range(self.players):
            player = (self.active + place) % self.players
            self.gain_card(player, self.color_at(cell, self.seats[player]))

    def draw_or_end_turn(self) -> None:
        """L13: the active player draws while the hand is short and tiles remain; then the turn ends."""
        hand_is_short = len(self.hands[self.active]) < self.components["hand_tiles"]
        if hand_is_short and self.left_to_draw > 0:
            self.phase = "draw"
        else:
            self.next_turn()

    def next_turn(self) -> None:
        """The next player's turn; the final round once every tile is placed, and its end (L14)."""
        last_of_round = self.active == self.players - 1
        if self.phase == "final":
            self.phase = "over" if last_of_round else "final"
        else:
            self.phase = "turn" if any(self.hands) else "final"
        if self.phase != "over":
            self.active = (self.active + 1) % self.players
            self.step = EXCHANGE

    # ---- cards ------------------------------------------------------------------------------------------------------

    def gain_card(self, player: int, color: str) -> None:
        """L12: an empty pile gives nothing."""
        if self.supply[color] > 0:
            self.supply[color] -= 1
            self.cards[player][color] += 1

    def return_card(self, color: str) -> None:
        """The active player returns a card to the supply."""
        self.cards[self.active][color] -= 1
        self.supply[color] += 1

    def card_count(self, player: int) -> int:
        """How many lantern cards the player holds."""
        return sum(self.cards[player].values())

    # ---- tiles ------------------------------------------------------------------------------------------------------

    def printed_sides(self, tile: int) -> str:
        """The tile's sides clockwise from north at rotation r0."""
        sides: str = self.components["tiles"][tile]["sides"]
        return sides

    def lowest_rotation(self, tile: int, rotation: int) -> int:
        """The lowest rotation that looks the same as this one."""
        sides = self.printed_sides(tile)
        return next(lower for lower in range(4) if turned(sides, lower) == turned(sides, rotation))

    def color_at(self, cell: Cell, side: int) -> str:
        """The color that the tile at `cell` shows on a compass side."""
        tile, rotation = self.lake[cell]
        return turned(self.printed_sides(tile), rotation)[side]

    def matches(self, cell: Cell, side: int) -> bool:
        """L10: whether a neighbor touches this side with the same color."""
        neighbor = beside(cell, side)
        return neighbor in self.lake and self.color_at(cell, side) == self.color_at(
            neighbor, opposite(side)
        )

    def has_platform(self, cell: Cell) -> bool:
        """Whether the tile at `cell` bears a platform; the boat of the start tile is none."""
        tile, _ = self.lake[cell]
        platform: bool = self.components["tiles"][tile].get("platform", False)
        return platform

    # ---- the picture of the position --------------------------------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """The whole position, hidden things included."""
        return {
            "lake": {
                f"{x},{y}": f"{tile}r{self.lowest_rotation(tile, rotation)}"
                for (x, y), (tile, rotation) in self.lake.items()
            },
            "supply": dict(self.supply),
            "cards": [dict(cards) for cards in self.cards],
            "favors": list(self.favors),
            "honor": list(self.honor),
            "stacks": {name: list(stack) for name, stack in self.stacks.items()},
            "hands": [sorted(hand) for hand in self.hands],
            "left_to_draw": self.left_to_draw,
            "active": self.active,
        }

    def scores(self) -> list[int]:
        """L15: the honor on each player's tokens."""
        return list(self.honor)

    def winners(self) -> list[int]:
        """L15: most honor, then most favors, then most cards, then a shared victory."""
        results = [
            (self.honor[player], self.favors[player], self.card_count(player))
            for player in range(self.players)
        ]
        return [player for player in range(self.players) if results[player] == max(results)]
