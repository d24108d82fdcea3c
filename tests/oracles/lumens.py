"""Oracle for Lumens: plain, slow and obviously correct.

The numbers U1 to U12 cite the rules. The oracle knows nothing of the engine that it checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any, NamedTuple

Actor = int | str  # a player 0..n-1, or "c" for chance
CHANCE = "c"

DIRECTIONS = [(1, 0), (-1, 0), (0, 1), (0, -1)]
FULL = 2  # U6: at most two tokens on a square
PASSAGE = "."


class Square(NamedTuple):
    """A square of the board; column 0 is the left one (a), row 0 is the bottom one (1)."""

    column: int
    row: int

    def name(self) -> str:
        """The square as chess players write it: a1 is at the bottom left."""
        return f"{chr(ord('a') + self.column)}{self.row + 1}"


class Token(NamedTuple):
    """A light token that lies on the board: whose it is and the face it shows."""

    player: int
    face: int


class Phase(Enum):
    """What the game waits for."""

    MIDDLE = "chance says who takes the middle spot (U3)"
    START_TOKENS = "everybody draws the start token (U4)"
    START_FACES = "everybody chooses the face of the start token (U4)"
    FIRST_HANDS = "everybody draws the first hand token (U4)"
    PLACE = "the active player places the hand token (U5)"
    DRAW = "the active player draws a new hand token (U9)"
    OVER = "nobody can place any more (U10)"


def room_points(pips: list[int], first: int, second: int) -> list[int]:
    """Points of one room for every player, from the pips of every player in it (U11)."""
    best = max(pips)
    leaders = pips.count(best)
    behind = max((own for own in pips if own < best), default=0)
    points = []
    for own in pips:
        if own == 0:
            points.append(0)
        elif own == best:
            points.append(first)
        elif own == behind and leaders == 1:
            points.append(second)
        else:
            points.append(0)
    return points


def best_players(points: list[int], center_pips: list[int]) -> list[int]:
    """Most points win; among the tied more pips in the center room; then a shared victory (U12)."""
    most = max(points)
    tied = [player for player, own in enumerate(points) if own == most]
    most_pips = max(center_pips[player] for player in tied)
    return [player for player in tied if center_pips[player] == most_pips]


class Oracle:
    """One game of Lumens, advanced action by action."""

    def __init__(self, players: int, options: dict[str, str], components: dict[str, Any]) -> None:
        self.players = players
        self.points_first: int = components["points_first"]
        self.points_second: int = components["points_second"][str(players)]
        self._read_tokens(components["tokens"])
        self._read_board(components["boards"])
        self._read_starts(options.get("starts", "published"))

        self.stacks: dict[Square, list[Token]] = {square: [] for square in self.room_of}
        self.hand: list[str | None] = [None] * players
        self.chosen = [0] * players
        self.out = [False] * players
        self.active = 0
        self.still_to_draw: list[int] = []  # in the order of their draws

        self.starts: list[Square] = []  # unknown while the middle spot is open
        self.phase = Phase.MIDDLE
        if players != 3:
            self._seat(first_entry_player=0)

    # --- reading the components ---

    def _read_tokens(self, tokens: list[dict[str, Any]]) -> None:
        """Fill everybody's bag; a kind is called by its two faces, such as "16" (U1)."""
        self.faces: dict[str, list[int]] = {}
        full_bag: dict[str, int] = {}
        for token in tokens:
            kind = "".join(str(face) for face in token["faces"])
            self.faces[kind] = list(token["faces"])
            full_bag[kind] = token["count"]
        self.bag = [dict(full_bag) for _ in range(self.players)]

    def _read_board(self, boards: dict[str, Any]) -> None:
        """Take the board for this number of players and note the room of every square (U2)."""
        fitting = [board for board in boards.values() if self.players in board["players"]]
        self.board: dict[str, Any] = fitting[0]
        self.room_of: dict[Square, str] = {}
        for row_from_top, line in enumerate(self.board["map"]):
            for column, letter in enumerate(line):
                self.room_of[self._from_top_left(column, row_from_top)] = letter
        self.rooms = sorted(set(self.room_of.values()) - {PASSAGE})
        self.center: str = self.board["center"]

    def _read_starts(self, option: str) -> None:
        """Take the list of start markers; the balanced one exists for 3 players only (U3)."""
        if option not in ("published", "balanced"):
            raise ValueError(f"starts={option} is not known")
        if option == "balanced" and self.players != 3:
            raise ValueError("starts=balanced is for 3 players")
        key = "3_balanced" if option == "balanced" else str(self.players)
        self.start_list = [self._from_top_left(*pair) for pair in self.board["starts"][key]]

    def _from_top_left(self, column: int, row_from_top: int) -> Square:
        """The components count rows from the top, the notation counts them from the bottom."""
        return Square(column, len(self.board["map"]) - 1 - row_from_top)

    # --- whose move it is ---

    def to_act(self) -> Actor | None:
        """The next actor; while faces are chosen, the lowest player who has not chosen (U4)."""
        if self.phase is Phase.OVER:
            return None
        waiting = self.may_act()
        return waiting[0] if waiting else CHANCE

    def may_act(self) -> list[int]:
        """All players who may act now; start faces are chosen in any order (U4)."""
        if self.phase is Phase.START_FACES:
            return [player for player in range(self.players) if self.chosen[player] == 0]
        if self.phase is Phase.PLACE:
            return [self.active]
        return []

    def legal(self, actor: Actor) -> dict[str, int]:
        """Every legal action of the actor with its weight."""
        if isinstance(actor, str):
            return self._chance_moves() if self.to_act() == actor else {}
        if actor not in self.may_act():
            return {}
        return dict.fromkeys(self._placements(actor), 1)

    def _chance_moves(self) -> dict[str, int]:
        """The middle spot goes to anybody alike (U3); draws weigh what is left in the bag (U9)."""
        if self.phase is Phase.MIDDLE:
            return {f"middle {player}": 1 for player in range(self.players)}
        bag = self.bag[self.still_to_draw[0]]
        return {f"+{kind}": left for kind, left in bag.items() if left > 0}

    # --- where a token may go ---

    def _placements(self, player: int) -> dict[str, tuple[Square, int]]:
        """The hand token on every permitted square, with either of its faces (U5)."""
        kind = self.hand[player]
        assert kind is not None
        if self.phase is Phase.START_FACES:
            targets = {self.starts[player]}
        else:
            targets = self._targets(player)
        return {
            f"{square.name()}={face}": (square, face)
            for square in sorted(targets)
            for face in self.faces[kind]
        }

    def _targets(self, player: int) -> set[Square]:
        """Squares that the player may place on: by counting (U5), or the own start marker (U7)."""
        targets = set(self._counted_squares(player))
        if not self._start_spent(player):
            targets.add(self.starts[player])
        return targets

    def _counted_squares(self, player: int) -> Iterator[Square]:
        """Arrival squares of all straight lines from own top tokens (U5)."""
        for origin, stack in self.stacks.items():
            if not stack or stack[-1].player != player:  # U6: a covered token is no origin
                continue
            for direction in DIRECTIONS:
                *between, arrival = self._line(origin, direction, stack[-1].face)
                if self._is_open(between) and self._may_arrive(player, arrival):
                    yield arrival

    def _line(self, origin: Square, direction: tuple[int, int], length: int) -> list[Square]:
        """The squares counted from the origin, without it; they may lie off the board."""
        return [
            Square(origin.column + step * direction[0], origin.row + step * direction[1])
            for step in range(1, length + 1)
        ]

    def _is_open(self, between: list[Square]) -> bool:
        """The squares in between hold no token of anybody (U5)."""
        return not any(self.stacks.get(square) for square in between)

    def _may_arrive(self, player: int, square: Square) -> bool:
        """On the board, at most one token there, and no other player's start marker (U5)."""
        if square not in self.stacks:
            return False
        if square in self.starts and square != self.starts[player]:
            return False
        return len(self.stacks[square]) < FULL

    def _start_spent(self, player: int) -> bool:
        """Whichever way a second token got on the own start marker, the right is spent (U7)."""
        return bool(self.starts) and len(self.stacks[self.starts[player]]) == FULL

    # --- carrying out an action ---

    def apply(self, actor: Actor, text: str) -> None:
        """Carry out one action out of legal(actor)."""
        if text not in self.legal(actor):
            raise ValueError(f"{text} is not legal for {actor}")
        if self.phase is Phase.MIDDLE:
            self._seat(first_entry_player=int(text.removeprefix("middle ")))
        elif isinstance(actor, str):
            self._draw(text.removeprefix("+"))
        elif self.phase is Phase.START_FACES:
            self._choose_start_face(actor, text)
        else:
            self._place(actor, text)

    def _seat(self, first_entry_player: int) -> None:
        """That player takes the first entry of the list, the next player the next entry (U3)."""
        self.starts = [
            self.start_list[(player - first_entry_player) % self.players]
            for player in range(self.players)
        ]
        self._begin_draws(Phase.START_TOKENS, list(range(self.players)))

    def _begin_draws(self, phase: Phase, drawers: list[int]) -> None:
        """These players draw one token each, in this order, while their bags last (U9)."""
        self.phase = phase
        self.still_to_draw = [player for player in drawers if any(self.bag[player].values())]
        if not self.still_to_draw:
            self._after_draws()

    def _draw(self, kind: str) -> None:
        """A token goes from the bag to the hand (U4, U9)."""
        player = self.still_to_draw.pop(0)
        self.bag[player][kind] -= 1
        self.hand[player] = kind
        if not self.still_to_draw:
            self._after_draws()

    def _after_draws(self) -> None:
        """Start tokens get a face; player 0 has the first turn (U4); else the turn passes on."""
        if self.phase is Phase.START_TOKENS:
            self.phase = Phase.START_FACES
        elif self.phase is Phase.FIRST_HANDS:
            self._begin_turn(list(range(self.players)))
        else:
            following = range(self.active + 1, self.active + 1 + self.players)
            self._begin_turn([player % self.players for player in following])

    def _choose_start_face(self, player: int, text: str) -> None:
        """The face stays secret until all have chosen (U4)."""
        _, self.chosen[player] = self._placements(player)[text]
        if all(self.chosen):
            self._reveal()

    def _reveal(self) -> None:
        """All start tokens are shown at once; then everybody draws a hand token (U4)."""
        for player, face in enumerate(self.chosen):
            self.stacks[self.starts[player]].append(Token(player, face))
        self.chosen = [0] * self.players
        self.hand = [None] * self.players
        self._begin_draws(Phase.FIRST_HANDS, list(range(self.players)))

    def _place(self, player: int, text: str) -> None:
        """Put the hand token on the board (U5), then draw (U9)."""
        square, face = self._placements(player)[text]
        self.stacks[square].append(Token(player, face))
        self.hand[player] = None
        self._begin_draws(Phase.DRAW, [player])

    def _begin_turn(self, in_order: list[int]) -> None:
        """The first player who can place has the turn; the blocked on the way are out (U8, U10)."""
        for player in in_order:
            if self.hand[player] is None or self.out[player]:
                continue
            if self._targets(player):
                self.active = player
                self.phase = Phase.PLACE
                return
            self.out[player] = True
        self.phase = Phase.OVER

    # --- scoring ---

    def _pips(self, room: str) -> list[int]:
        """Pips of everybody's top tokens in the room; covered tokens count nothing (U6, U11)."""
        pips = [0] * self.players
        for square, stack in self.stacks.items():
            if stack and self.room_of[square] == room:
                pips[stack[-1].player] += stack[-1].face
        return pips

    def _points(self, room: str) -> list[int]:
        """Points of everybody for the room (U11)."""
        return room_points(self._pips(room), self.points_first, self.points_second)

    def scores(self) -> list[int]:
        """Points of everybody in all rooms together, as it stands now (U11, U12)."""
        by_room = [self._points(room) for room in self.rooms]
        return [sum(points[player] for points in by_room) for player in range(self.players)]

    def winners(self) -> list[int]:
        """Who would win, as it stands now (U12)."""
        return best_players(self.scores(), self._pips(self.center))

    # --- the picture of the position ---

    def facts(self) -> dict[str, Any]:
        """The whole position, hidden things included."""
        return {
            "board": {
                square.name(): [[token.player, token.face] for token in stack]
                for square, stack in self.stacks.items()
                if stack
            },
            "hand": list(self.hand),
            "bag": [dict(bag) for bag in self.bag],
            "chosen": list(self.chosen),
            "out": list(self.out),
            "start_spent": [self._start_spent(player) for player in range(self.players)],
            "starts": [square.name() for square in self.starts],
            "active": self.active,
            "rooms": {
                room: {"pips": self._pips(room), "points": self._points(room)}
                for room in self.rooms
            },
        }
