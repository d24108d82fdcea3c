"""An oracle for Lanterns Dice: Lights in the Sky: plain, slow and written from the rules alone.

Rule numbers (D1 ... D18) are those of the rules.  Nothing here is optimized: every legal action is
found by trying everything.  Pools are named as in the notation ("c4": column from the left, row
from the bottom) and an area is its pool's name followed by "u" (upper) or "l" (lower): "c4u".
"""

from dataclasses import dataclass, field
from itertools import combinations, permutations, product
from typing import Any

Actor = int | str  # a player 0..n-1, or "c" for chance

CHANCE = "c"
SKIP = "skip"
DICE = 4  # D4: the tray has 2 x 2 places
HONOUR_PER_BOAT = 4  # D17
CHANCE_PHASES = ("sheets", "fireworks", "emperor", "roll")


@dataclass(frozen=True)
class Pool:
    """A pool of two areas in different colors, with its feature: . ^ v # or b."""

    upper: str
    lower: str
    feature: str

    def color(self, half: str) -> str:
        return self.upper if half == "u" else self.lower

    def has_pavilion_in(self, half: str) -> bool:
        return self.feature == ("^" if half == "u" else "v")


@dataclass(frozen=True)
class Step:
    """Something a player is asked for.

    kind: "area" (one area of one of `colors`: D7, D8 and most emperor actions), "platform" (the
    bonus of the platform in `pool`, D12), "pool" (`whole_pool`), "first of two" (`two_same`),
    "emperor" (D9) or "launch" (D10, D16).
    """

    kind: str
    colors: str = ""
    pool: str = ""
    compulsory: bool = False


EMPEROR = Step("emperor")
LAUNCH = Step("launch")


@dataclass
class Launched:
    """A fireworks tile on a player's lake."""

    shape: str
    honor: int
    pools: list[str]


@dataclass
class Sheet:
    """What one player has in front of them."""

    gifts: int
    lake: dict[str, Pool] = field(default_factory=dict)  # empty before the sheets are dealt
    bonuses: str = ""  # the turn-bonus column for this number of players
    shaded: set[str] = field(default_factory=set)  # areas
    launched: list[Launched] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)  # still to do in this turn, in order

    def completed(self) -> set[str]:
        """The pools with both areas shaded."""
        return {p for p in self.lake if p + "u" in self.shaded and p + "l" in self.shaded}

    def untouched(self) -> set[str]:
        """The pools with no shaded area."""
        return {p for p in self.lake if p + "u" not in self.shaded and p + "l" not in self.shaded}

    def covered(self) -> set[str]:
        return {pool for tile in self.launched for pool in tile.pools}

    def open_areas(self, colors: str) -> list[str]:
        """The unshaded areas of any of these colors."""
        return [
            name + half
            for name, pool in self.lake.items()
            for half in "ul"
            if pool.color(half) in colors and name + half not in self.shaded
        ]

    def neighbors(self, pool: str) -> list[str]:
        return [p for p in beside(pool) if p in self.lake]

    def open_areas_beside(self, pool: str) -> list[str]:
        """D12: the unshaded areas, of any color, of the orthogonally adjacent pools."""
        areas = [p + half for p in self.neighbors(pool) for half in "ul"]
        return [area for area in areas if area not in self.shaded]


def pool_name(col: int, row: int) -> str:
    """Column 0.. from the left, row 1.. from the bottom."""
    return chr(ord("a") + col) + str(row)


def beside(pool: str) -> list[str]:
    """The four places orthogonally adjacent to a pool, whether or not they are on the lake."""
    col, row = ord(pool[0]) - ord("a"), int(pool[1:])
    return [
        pool_name(col - 1, row),
        pool_name(col + 1, row),
        pool_name(col, row - 1),
        pool_name(col, row + 1),
    ]


def read_lake(rows: list[str]) -> dict[str, Pool]:
    """The data lists the rows from the top; the notation counts them from the bottom."""
    return {
        pool_name(col, len(rows) - r): Pool(code[0], code[1], code[2])
        for r, line in enumerate(rows)
        for col, code in enumerate(line.split())
    }


def quarter_turn(rows: list[str]) -> list[str]:
    """Clockwise: the left column, read upwards, becomes the top row."""
    return ["".join(column) for column in zip(*reversed(rows), strict=True)]


def orientations(rows: list[str]) -> dict[int, list[str]]:
    """o0-o3: quarter turns clockwise; o4-o7: first mirrored left-right.

    Of orientations that look the same only the lowest is kept.
    """
    looks: dict[int, list[str]] = {}
    for number in range(8):
        look = [line[::-1] for line in rows] if number >= 4 else list(rows)
        for _ in range(number % 4):
            look = quarter_turn(look)
        if look not in looks.values():
            looks[number] = look
    return looks


def pools_under(look: list[str], col: int, row: int) -> list[str]:
    """The pools under a tile whose bounding box has its lower left corner at (col, row)."""
    return sorted(
        pool_name(col + dx, row + len(look) - 1 - line)
        for line, marks in enumerate(look)
        for dx, mark in enumerate(marks)
        if mark == "X"
    )


def groups(pools: set[str]) -> list[set[str]]:
    """The orthogonally connected groups of these pools."""
    left = set(pools)
    found: list[set[str]] = []
    while left:
        group: set[str] = set()
        edge = [left.pop()]
        while edge:
            pool = edge.pop()
            group.add(pool)
            for other in beside(pool):
                if other in left:
                    left.remove(other)
                    edge.append(other)
        found.append(group)
    return found


class Oracle:
    """One game, from before the first chance move to the end."""

    def __init__(self, players: int, options: dict[str, str], components: dict[str, Any]) -> None:
        self.players = players
        self.options = options
        self.components = components
        self.sheets = [Sheet(int(components["starting_gifts"])) for _ in range(players)]  # D3
        self.letters = ""  # the sheets dealt
        self.stacks: dict[str, list[int]] = {}  # honors left, top first, of the shapes in play
        self.sides = ""  # the emperor sides
        self.turn = 1
        self.active = 0
        self.dice = ""
        self.turned: int | None = None
        self.extra_launches = False  # D16
        self._use_given_fireworks()
        self._use_given_sides()
        self.phase = "sheets"  # then "fireworks", "emperor", "roll", "tray", "steps", "over"

    # ----- Who acts, and with what -----

    def to_act(self) -> Actor | None:
        """D11: where one order is needed, the active player first, then clockwise."""
        if self.phase in CHANCE_PHASES:
            return CHANCE
        may_act = self.may_act()
        for distance in range(self.players):
            player = (self.active + distance) % self.players
            if player in may_act:
                return player
        return None

    def may_act(self) -> list[int]:
        """D11: everybody who still has something to choose."""
        if self.phase == "tray":
            return [self.active]
        if self.phase == "steps":
            return [p for p in range(self.players) if self.sheets[p].steps]
        return []

    def legal(self, actor: Actor) -> dict[str, int]:
        """Every legal action text; all outcomes of one chance move weigh the same."""
        if actor == CHANCE:
            texts = self._chance_outcomes()
        elif actor not in self.may_act():
            texts = []
        elif self.phase == "tray":
            texts = self._tray_actions()
        else:
            texts = self._step_actions(int(actor))
        return dict.fromkeys(texts, 1)

    def apply(self, actor: Actor, text: str) -> None:
        if text not in self.legal(actor):
            raise ValueError(f"{text!r} is not legal for {actor!r} now")
        if actor == CHANCE:
            self._apply_chance(text)
        elif self.phase == "tray":
            self._apply_tray(text)
        else:
            self._apply_step(int(actor), text)
        self._proceed()

    # ----- Set-up (D1-D3) -----

    def _use_given_fireworks(self) -> None:
        """D2: the option `fireworks`, else the first-game shapes with `setup=first`."""
        given = self.options.get("fireworks")
        if given is not None:
            self._stack_fireworks(given.split())
        elif self.options.get("setup") == "first":
            self._stack_fireworks(self.components["fireworks"]["first_game"])

    def _use_given_sides(self) -> None:
        """D2: the option `emperor`, else all sides A with `setup=first`."""
        given = self.options.get("emperor")
        if given is not None:
            self.sides = given
        elif self.options.get("setup") == "first":
            self.sides = "A" * len(self.components["emperor_cards"])

    def _stack_fireworks(self, shapes: list[str]) -> None:
        """D3: each stack holds its tiles in descending value; the stacks stand in data order."""
        for shape, data in self.components["fireworks"]["shapes"].items():
            if shape in shapes:
                self.stacks[shape] = sorted(data["honor"], reverse=True)

    def _next_setup_phase(self) -> str:
        """D2: sheets, fireworks, emperor; what the options give needs no chance move."""
        if not self.letters:
            return "sheets"
        if not self.stacks:
            return "fireworks"
        if not self.sides:
            return "emperor"
        return "roll"

    def _deal(self, letters: str) -> None:
        """D1: player 0 gets the first letter."""
        self.letters = letters
        for sheet, letter in zip(self.sheets, letters, strict=True):
            sheet.lake = self._lake_of(letter)
            sheet.bonuses = self._bonus_column(letter)

    def _lake_of(self, letter: str) -> dict[str, Pool]:
        """D1: `lake1` for all, or with `lakes=four` sheet A lake1 ... D lake4."""
        number = "ABCD".index(letter) + 1 if self.options.get("lakes") == "four" else 1
        return read_lake(self.components["lakes"][f"lake{number}"])

    def _bonus_column(self, letter: str) -> str:
        column = self.components["turn_bonuses"][letter]
        later = {2: "two_players", 3: "three_players"}
        bonuses = str(column["turns_1_to_6"])
        if self.players in later:
            bonuses += str(column[later[self.players]])
        return bonuses

    # ----- Chance -----

    def _chance_outcomes(self) -> list[str]:
        if self.phase == "sheets":
            return self._sheet_deals()
        if self.phase == "fireworks":
            return self._firework_draws()
        if self.phase == "emperor":
            cards = len(self.components["emperor_cards"])
            return ["emperor " + "".join(sides) for sides in product("AB", repeat=cards)]
        if self.phase == "roll":
            return ["r" + "".join(r) for r in product(self.components["colors"], repeat=DICE)]
        return []

    def _sheet_deals(self) -> list[str]:
        """D1: different sheets, the earliest letter to player 0."""
        deals = permutations("ABCD", self.players)
        return ["sheets " + "".join(deal) for deal in deals if deal[0] == min(deal)]

    def _firework_draws(self) -> list[str]:
        """D2: 1 small, 2 medium, 1 large; shapes of one size in data order."""
        fireworks = self.components["fireworks"]
        shapes_of_size = {
            size: [name for name, data in fireworks["shapes"].items() if data["size"] == size]
            for size in ("small", "medium", "large")
        }
        draws = product(
            combinations(shapes_of_size["small"], fireworks["random"]["small"]),
            combinations(shapes_of_size["medium"], fireworks["random"]["medium"]),
            combinations(shapes_of_size["large"], fireworks["random"]["large"]),
        )
        return [" ".join(("fireworks", *small, *medium, *large)) for small, medium, large in draws]

    def _apply_chance(self, text: str) -> None:
        if self.phase == "roll":
            self.dice = text[1:]  # D5
            self.phase = "tray"
            return
        kind, result = text.split(" ", 1)
        if kind == "sheets":
            self._deal(result)
        elif kind == "fireworks":
            self._stack_fireworks(result.split())
        else:
            self.sides = result
        self.phase = self._next_setup_phase()

    # ----- The tray (D4, D6) -----

    def _reroll_cost(self) -> int:
        return int(self.components["reroll_cost_gifts"])

    def _tray_actions(self) -> list[str]:
        """D6: roll again if there is a gift for it, or turn the tray."""
        turns = [f"t{turn}" for turn in range(DICE)]
        can_pay = self.sheets[self.active].gifts >= self._reroll_cost()
        return ["reroll", *turns] if can_pay else turns

    def _apply_tray(self, text: str) -> None:
        if text == "reroll":
            # The old dice lie in the tray until the chance move replaces them.
            self.sheets[self.active].gifts -= self._reroll_cost()
            self.phase = "roll"
            return
        self.turned = int(text[1:])
        self.phase = "steps"
        for player in range(self.players):
            self.sheets[player].steps = self._steps_of_turn(player)

    def _steps_of_turn(self, player: int) -> list[Step]:
        """D7, (active player: D8), D9, (active player: D10)."""
        own_die = Step("area", colors=self._die_faced(player))
        if player != self.active:
            return [own_die, EMPEROR]
        turn_bonus = Step("area", colors=self.sheets[player].bonuses[self.turn - 1])
        return [own_die, turn_bonus, EMPEROR, LAUNCH]

    def _die_faced(self, player: int, further_on: int = 0) -> str:
        """D4: with turn t, seat s faces die (s + t) mod 4; the diagonal die is two further on."""
        assert self.turned is not None
        seat = int(self.components["seats"][str(self.players)][player])
        return self.dice[(seat + self.turned + further_on) % DICE]

    # ----- The players' steps (D7-D12) -----

    def _step_actions(self, player: int) -> list[str]:
        step = self.sheets[player].steps[0]
        choices = self._choices(player, step)
        return choices if step.compulsory else [*choices, SKIP]  # D14

    def _choices(self, player: int, step: Step) -> list[str]:
        """What can be done in this step, other than declining it."""
        sheet = self.sheets[player]
        if step.kind in ("area", "first of two"):
            return sheet.open_areas(step.colors)
        if step.kind == "platform":
            return sheet.open_areas_beside(step.pool)
        if step.kind == "pool":
            return [pool + "ul" for pool in sorted(sheet.untouched())]
        if step.kind == "emperor":
            return self._emperor_choices(player)
        return list(self._launches(player))

    def _apply_step(self, player: int, text: str) -> None:
        step = self.sheets[player].steps.pop(0)
        if text == SKIP:
            return
        if step.kind == "emperor":
            self._buy(player, text)
        elif step.kind == "launch":
            self._launch(player, text)
        else:
            if step.kind == "first of two":
                self._prepare_second_of_two(player, text)
            self._shade(player, text)

    def _shade(self, player: int, text: str) -> None:
        """D12: shade the area(s); a pavilion gives a gift, a completed platform a bonus step."""
        sheet = self.sheets[player]
        name = text.rstrip("ul")
        pool = sheet.lake[name]
        for half in text.removeprefix(name):
            sheet.shaded.add(name + half)
            if pool.has_pavilion_in(half):
                sheet.gifts += 1
        if pool.feature == "#" and name in sheet.completed():
            sheet.steps.insert(0, Step("platform", pool=name))  # before anything else

    # ----- Emperor actions (D9) -----

    def _card(self, text: str) -> tuple[int, str]:
        """Cost and action of the card called "e1", "e2" ..., on the side face up."""
        index = int(text[1:]) - 1
        card = self.components["emperor_cards"][index]
        return int(card["cost"]), str(card[self.sides[index]])

    def _emperor_choices(self, player: int) -> list[str]:
        """The cards the player can pay for and use: one with no possible area is not offered."""
        offered = []
        for number in range(1, len(self.sides) + 1):
            cost, action = self._card(f"e{number}")
            possible = self._choices(player, self._bought_step(player, action))
            if cost <= self.sheets[player].gifts and possible:
                offered.append(f"e{number}")
        return offered

    def _buy(self, player: int, text: str) -> None:
        cost, action = self._card(text)
        self.sheets[player].gifts -= cost
        self.sheets[player].steps.insert(0, self._bought_step(player, action))

    def _bought_step(self, player: int, action: str) -> Step:
        """The (first) shading of an emperor action, which is compulsory."""
        every_color = str(self.components["colors"])
        if action == "own_die":
            return Step("area", colors=self._die_faced(player), compulsory=True)
        if action == "diagonal_die":
            return Step("area", colors=self._die_faced(player, 2), compulsory=True)
        if action == "colour_not_shown":
            missing = "".join(c for c in every_color if c not in self.dice)
            return Step("area", colors=missing, compulsory=True)
        if action == "any_die":
            return Step("area", colors=self.dice, compulsory=True)
        if action == "whole_pool":
            return Step("pool", compulsory=True)
        if action == "two_same":
            return Step("first of two", colors=every_color, compulsory=True)
        raise ValueError(f"unknown emperor action {action!r}")

    def _prepare_second_of_two(self, player: int, first: str) -> None:
        """`two_same`: then, if wanted, a second area of the same color."""
        sheet = self.sheets[player]
        color = sheet.lake[first[:-1]].color(first[-1])
        sheet.steps.insert(0, Step("area", colors=color))

    # ----- Fireworks (D10, D15) -----

    def _launches(self, player: int) -> dict[str, list[str]]:
        """D15: every way to put a top tile on completed, uncovered pools: its text -> pools."""
        sheet = self.sheets[player]
        free = sheet.completed() - sheet.covered()
        grid = self.components["grid"]
        found: dict[str, list[str]] = {}
        for shape, stack in self.stacks.items():
            rows = self.components["fireworks"]["shapes"][shape]["rows"]
            looks = orientations(rows) if stack else {}
            for number, look in looks.items():
                for col, row in product(range(grid["cols"]), range(1, grid["rows"] + 1)):
                    pools = pools_under(look, col, row)
                    if free.issuperset(pools):
                        found[f"{shape}o{number}@{pool_name(col, row)}"] = pools
        return found

    def _launch(self, player: int, text: str) -> None:
        pools = self._launches(player)[text]
        shape = text.partition("@")[0].rpartition("o")[0]
        honor = self.stacks[shape].pop(0)
        self.sheets[player].launched.append(Launched(shape, honor, pools))

    # ----- The course of the game (D3, D11, D14, D16) -----

    def _proceed(self) -> None:
        """Pass what needs no asking; when all have finished, continue with the next player."""
        self._pass_impossible_steps()
        while self.phase == "steps" and not self.may_act():
            self._next_player()
            self._pass_impossible_steps()

    def _pass_impossible_steps(self) -> None:
        """D14: a step with nothing possible is passed without asking."""
        for player, sheet in enumerate(self.sheets):
            while sheet.steps and not self._choices(player, sheet.steps[0]):
                sheet.steps.pop(0)

    def _next_player(self) -> None:
        """The next turn, the next extra launch, or the end."""
        self.dice = ""
        self.turned = None
        if self.active < self.players - 1:
            self.active += 1
        elif self.extra_launches:
            self.phase = "over"
            return
        else:
            self.active = 0
            self._next_round()
        if self.extra_launches:
            self.sheets[self.active].steps = [LAUNCH]
        else:
            self.phase = "roll"

    def _next_round(self) -> None:
        """D3: a set number of turns each; D16: then one more launch each."""
        if self.turn < self.components["turns"][str(self.players)]:
            self.turn += 1
        else:
            self.extra_launches = True

    # ----- Scoring (D17, D18) -----

    def _parts(self, player: int) -> list[int]:
        """D17: fireworks honor, second group, boats."""
        sheet = self.sheets[player]
        fireworks = sum(tile.honor for tile in sheet.launched)
        sizes = sorted((len(group) for group in groups(sheet.completed())), reverse=True)
        second = sizes[1] if len(sizes) > 1 else 0
        return [fireworks, second, HONOUR_PER_BOAT * self._surrounded_boats(sheet)]

    def _surrounded_boats(self, sheet: Sheet) -> int:
        """D17: wholly unshaded boat pools whose 4 neighbors are completed."""
        boats = {name for name, pool in sheet.lake.items() if pool.feature == "b"}
        completed = sheet.completed()
        return sum(completed.issuperset(beside(boat)) for boat in boats & sheet.untouched())

    def scores(self) -> list[int]:
        return [sum(self._parts(player)) for player in range(self.players)]

    def winners(self) -> list[int]:
        """D18: most honor, then most fireworks honor, then shared victory."""
        ranks = [(sum(parts), parts[0]) for parts in map(self._parts, range(self.players))]
        return [player for player, rank in enumerate(ranks) if rank == max(ranks)]

    # ----- The picture of the position -----

    def facts(self) -> dict[str, Any]:
        """Everything on the table, which is all public."""
        return {
            "sheets": self.letters,
            "fireworks": list(self.stacks),
            "emperor": self.sides,
            "dice": self.dice,
            "turned": self.turned,
            "active": self.active,
            "turn": self.turn,
            "shaded": [sorted(sheet.shaded) for sheet in self.sheets],
            "gifts": [sheet.gifts for sheet in self.sheets],
            "stacks": {shape: list(stack) for shape, stack in self.stacks.items()},
            "launched": [
                [[tile.shape, tile.honor, list(tile.pools)] for tile in sheet.launched]
                for sheet in self.sheets
            ],
            "parts": [self._parts(player) for player in range(self.players)],
        }
