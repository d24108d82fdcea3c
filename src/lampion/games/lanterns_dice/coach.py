"""Why a decision in Lanterns Dice was worse than another: pools, bonuses, gifts, boats and
fireworks (see `core.comparison`).

Everything on the table is public, and nothing is said about dice that are still to be rolled.
"""

from __future__ import annotations

from collections.abc import Iterator

from lampion.core.comparison import Comparison, Reason, Topic, first_of_each
from lampion.core.types import Action, Player
from lampion.games.lanterns_dice.actions import (
    ACTIONS,
    CARD,
    LAUNCH,
    PLACEMENT_SHAPES,
    REROLL,
    SHADE,
    SKIP,
    TRAY,
)
from lampion.games.lanterns_dice.components import (
    COLOR_LETTERS,
    LOWER,
    NUM_CARDS,
    NUM_COLORS,
    NUM_HALVES,
    POOL_NAMES,
    SHAPE_NAMES,
    UPPER,
    Color,
    Shape,
)
from lampion.games.lanterns_dice.rules_fireworks import has_tile
from lampion.games.lanterns_dice.rules_scoring import surrounded_boats
from lampion.games.lanterns_dice.rules_shading import (
    areas_due,
    completed_pools,
    die_color,
    empty_pools,
    is_bonus_due,
    is_whole_pool_due,
    open_areas,
)
from lampion.games.lanterns_dice.state import (
    NEIGHBORS,
    NO_SHAPE,
    NOT_TURNED,
    NOTHING,
    TURN_BONUS_STEP,
    PoolSet,
    State,
    pools_in,
)
from lampion.games.lanterns_dice.view_pools import rooms, size_of_second_group

NEIGHBORS_TO_SCORE = 4
"""D17: a boat on the edge has fewer and never scores."""
LAST_CARD = CARD + NUM_CARDS - 1


def reasons(compared: Comparison) -> Iterator[Reason]:
    """The weightiest first."""
    return first_of_each(TOPICS, compared)


# --- what an action is ----------------------------------------------------------------------------


def is_tray(action: Action) -> bool:
    return TRAY <= action < SHADE


def is_shading(action: Action) -> bool:
    """Of an area or of a whole pool."""
    return SHADE <= action < CARD


def is_card(action: Action) -> bool:
    return CARD <= action <= LAST_CARD


def is_launch(action: Action) -> bool:
    return LAUNCH <= action < LAUNCH + ACTIONS["launch"].size


# --- what a lake shows ----------------------------------------------------------------------------


def completed(state: State, player: Player) -> PoolSet:
    return int(completed_pools(state, player))


def first_pool(pools: PoolSet) -> str:
    return POOL_NAMES[pools_in(pools)[0]]


def finishing(state: State, player: Player, areas: tuple[PoolSet, PoolSet]) -> PoolSet:
    """The pools that one more area would complete, if it may be one of these."""
    upper, lower = (int(state.shaded[player, half]) for half in (UPPER, LOWER))
    return (areas[UPPER] & lower & ~upper) | (areas[LOWER] & upper & ~lower)


def by_color(state: State, player: Player, color: Color) -> tuple[PoolSet, PoolSet]:
    """The open areas of a color, by half."""
    upper, lower = (int(open_areas(state, player, half, 1 << color)) for half in (UPPER, LOWER))
    return upper, lower


def completed_by(state: State, player: Player, color: Color) -> PoolSet:
    return finishing(state, player, by_color(state, player, color))


def pavilions_of(state: State, player: Player, color: Color) -> PoolSet:
    """The open pavilions of a color."""
    areas, sheet = by_color(state, player, color), int(state.sheets[player])
    return (areas[UPPER] & int(state.pavilions[sheet, UPPER])) | (
        areas[LOWER] & int(state.pavilions[sheet, LOWER])
    )


def finishing_now(state: State, player: Player) -> PoolSet:
    """The pools that the area which is due can complete; a whole pool completes any empty one."""
    if is_whole_pool_due(state, player):
        return int(empty_pools(state, player))
    upper, lower = (int(areas_due(state, player, half)) for half in (UPPER, LOWER))
    return finishing(state, player, (upper, lower))


def areas_missing(state: State, player: Player) -> dict[Shape, int]:
    """How many areas each tile that is left lacks to its nearest place, 0 where it fits."""
    shaded = (int(state.shaded[player, half]) for half in range(NUM_HALVES))
    found = rooms(*shaded, int(state.covered[player]))
    shapes = [int(shape) for shape in state.shapes if shape != NO_SHAPE and has_tile(state, shape)]
    near = {shape: found[SHAPE_NAMES[shape]].missing for shape in shapes}
    return {shape: missing for shape, missing in near.items() if missing is not None}


def tile_pays(state: State, shape: Shape) -> int:
    return int(state.tile_honor[shape, state.tiles_taken[shape]])


def best_paid(state: State, shapes: list[Shape]) -> Shape | None:
    return max(shapes, key=lambda shape: tile_pays(state, shape), default=None)


# --- fireworks ------------------------------------------------------------------------------------


def launch_missed(c: Comparison) -> Reason | None:
    if not is_launch(c.best) or is_launch(c.played):
        return None
    shape = int(PLACEMENT_SHAPES[c.best - LAUNCH])
    pays = tile_pays(c.before, shape)
    return Reason("launch_missed", {"shape": SHAPE_NAMES[shape], "count": pays})


def lower_launch(c: Comparison) -> Reason | None:
    if not (is_launch(c.best) and is_launch(c.played)):
        return None
    paid, best = (int(each.honor[c.seat] - c.before.honor[c.seat]) for each in (c.after, c.better))
    return Reason("lower_launch", {"count": paid, "best": best}) if paid < best else None


def shape_fits(c: Comparison) -> Reason | None:
    """D15: a tile that fits after the better action, and not after the other."""
    now, then = areas_missing(c.after, c.seat), areas_missing(c.better, c.seat)
    fits = [shape for shape, left in then.items() if left == 0 and now.get(shape) != 0]
    shape = best_paid(c.better, fits)
    if shape is None:
        return None
    pays = tile_pays(c.better, shape)
    return Reason("shape_fits", {"shape": SHAPE_NAMES[shape], "count": pays})


def shape_closer(c: Comparison) -> Reason | None:
    """Of the tiles that lack fewer areas after the better action, the one that pays most."""
    now, then = areas_missing(c.after, c.seat), areas_missing(c.better, c.seat)
    nearer = [shape for shape, left in then.items() if 0 < left < now.get(shape, 0)]
    shape = best_paid(c.better, nearer)
    if shape is None:
        return None
    values = {"shape": SHAPE_NAMES[shape], "count": now[shape], "best": then[shape]}
    return Reason("shape_closer", values)


# --- pools, platforms, pavilions ------------------------------------------------------------------


def new_pools(c: Comparison, after: State) -> PoolSet:
    return completed(after, c.seat) & ~completed(c.before, c.seat)


def chain(c: Comparison) -> Reason | None:
    """D12: the bonus of a platform completes another pool."""
    if not bonus_gained(c):
        return None
    pool = int(c.better.bonus_pool[c.seat])
    more = finishing_now(c.better, c.seat)
    if not more:
        return None
    return Reason("chain", {"pool": POOL_NAMES[pool], "other": first_pool(more)})


def bonus_gained(c: Comparison) -> bool:
    """Whether only the better action completes a platform."""
    platforms = int(c.before.platforms[c.before.sheets[c.seat]])
    return bool(
        new_pools(c, c.better) & platforms
        and is_bonus_due(c.better, c.seat)
        and not new_pools(c, c.after) & platforms
    )


def bonus_missed(c: Comparison) -> Reason | None:
    if not bonus_gained(c):
        return None
    return Reason("bonus_missed", {"pool": POOL_NAMES[int(c.better.bonus_pool[c.seat])]})


def pool_missed(c: Comparison) -> Reason | None:
    new = new_pools(c, c.better)
    if not new or new_pools(c, c.after):
        return None
    return Reason("pool_missed", {"pool": first_pool(new)})


def gift_missed(c: Comparison) -> Reason | None:
    """D12: pavilions."""
    if not is_shading(c.best) or not (is_shading(c.played) or c.played == SKIP):
        return None
    more = int(c.better.gifts[c.seat] - c.after.gifts[c.seat])
    return Reason("gift_missed", {"count": more}) if more > 0 else None


def area_skipped(c: Comparison) -> Reason | None:
    """D14: nothing is lost by shading an area but the area."""
    return Reason("area_skipped") if c.played == SKIP and is_shading(c.best) else None


def platform_near(c: Comparison) -> Reason | None:
    """A platform that lacks a single area after the better action."""
    platforms = int(c.before.platforms[c.before.sheets[c.seat]])
    new = half_shaded(c.better, c.seat) & platforms & ~half_shaded(c.after, c.seat)
    new &= ~completed(c.after, c.seat)
    return Reason("platform_near", {"pool": first_pool(new)}) if new else None


def half_shaded(state: State, player: Player) -> PoolSet:
    return int(state.shaded[player, UPPER]) ^ int(state.shaded[player, LOWER])


def colors_ready(c: Comparison) -> Reason | None:
    """With how many colors a single area completes a pool."""
    count, best = (
        sum(bool(completed_by(each, c.seat, color)) for color in range(NUM_COLORS))
        for each in (c.after, c.better)
    )
    return Reason("colors_ready", {"count": count, "best": best}) if count < best else None


def next_bonus(c: Comparison) -> Reason | None:
    """D8: the color of the next turn bonus is printed on the sheet."""
    turn = next_bonus_turn(c.after, c.seat)
    if turn != next_bonus_turn(c.better, c.seat) or turn >= c.before.num_turns:
        return None
    color = int(c.before.turn_bonuses[c.before.sheets[c.seat], turn])
    pools = completed_by(c.better, c.seat, color)
    if not pools or completed_by(c.after, c.seat, color):
        return None
    return Reason("next_bonus", {"color": COLOR_LETTERS[color], "pool": first_pool(pools)})


def next_bonus_turn(state: State, player: Player) -> int:
    """The turn of the player's next turn bonus, from 0."""
    turn, active = int(state.turn), int(state.active)
    is_ahead = player == active and (
        state.chance_owes != NOTHING or state.step[player] <= TURN_BONUS_STEP
    )
    return turn if player > active or is_ahead else turn + 1


# --- boats and groups -----------------------------------------------------------------------------


def boats_left(state: State, player: Player) -> PoolSet:
    """Those whose own pool is not shaded."""
    return int(state.boats[state.sheets[player]] & empty_pools(state, player))


def boat_lost(c: Comparison) -> Reason | None:
    """D13."""
    lost = boats_left(c.before, c.seat) & ~boats_left(c.after, c.seat)
    lost &= boats_left(c.better, c.seat)
    return Reason("boat_lost", {"pool": first_pool(lost)}) if lost else None


def boat_won(c: Comparison) -> Reason | None:
    """D17."""
    new = int(surrounded_boats(c.better, c.seat)) & ~int(surrounded_boats(c.after, c.seat))
    return Reason("boat_won", {"pool": first_pool(new)}) if new else None


def boat_closer(c: Comparison) -> Reason | None:
    """A boat off the edge that lacks fewer completed neighbors after the better action."""
    for boat in pools_in(boats_left(c.better, c.seat) & boats_left(c.after, c.seat)):
        beside = int(NEIGHBORS[boat])
        if beside.bit_count() < NEIGHBORS_TO_SCORE:
            continue
        left, best = (
            (beside & ~completed(each, c.seat)).bit_count() for each in (c.after, c.better)
        )
        if 0 < best < left:
            return Reason("boat_closer", {"pool": POOL_NAMES[boat], "count": left, "best": best})
    return None


def second_group(c: Comparison) -> Reason | None:
    """D17."""
    size, best = (size_of_second_group(completed(each, c.seat)) for each in (c.after, c.better))
    return Reason("second_group", {"size": size, "best": best}) if size < best else None


# --- gifts and cards ------------------------------------------------------------------------------


def card_completes(c: Comparison) -> Reason | None:
    """D9: the area that the better card allows completes a pool."""
    if not is_card(c.best):
        return None
    pools = finishing_now(c.better, c.seat)
    if not pools or (is_card(c.played) and finishing_now(c.after, c.seat)):
        return None
    return Reason("card_completes", {"pool": first_pool(pools)})


def card_unused(c: Comparison) -> Reason | None:
    if not is_card(c.best) or c.played != SKIP:
        return None
    gifts = int(c.before.gifts[c.seat])
    cost = int(c.before.card_costs[c.best - CARD])
    return Reason("card_unused", {"count": gifts, "cost": cost})


def gifts_spent(c: Comparison) -> Reason | None:
    """Gifts paid where the better action pays fewer."""
    if not (is_card(c.played) or c.played == REROLL):
        return None
    before = int(c.before.gifts[c.seat])
    paid, best = (before - int(each.gifts[c.seat]) for each in (c.after, c.better))
    return Reason("gifts_spent", {"count": paid, "best": best}) if paid > best >= 0 else None


# --- the tray -------------------------------------------------------------------------------------


def are_turned(c: Comparison) -> bool:
    """Whether both actions turn the tray, and a player has something to do then."""
    is_turn = is_tray(c.played) and is_tray(c.best)
    return is_turn and NOT_TURNED not in (int(c.after.tray), int(c.better.tray))


def dice(c: Comparison, player: Player) -> tuple[Color, Color]:
    """The die of a player after both turns of the tray."""
    return int(die_color(c.after, player, 0)), int(die_color(c.better, player, 0))


def tray_completes(c: Comparison) -> Reason | None:
    if not are_turned(c):
        return None
    played, best = dice(c, c.seat)
    pools = completed_by(c.before, c.seat, best)
    if not pools or completed_by(c.before, c.seat, played):
        return None
    return Reason("tray_completes", {"color": COLOR_LETTERS[best], "pool": first_pool(pools)})


def tray_no_area(c: Comparison) -> Reason | None:
    if not are_turned(c):
        return None
    played, best = (any(by_color(c.before, c.seat, color)) for color in dice(c, c.seat))
    if played or not best:
        return None
    return Reason("tray_no_area", {"color": COLOR_LETTERS[dice(c, c.seat)[0]]})


def tray_gift(c: Comparison) -> Reason | None:
    if not are_turned(c):
        return None
    played, best = dice(c, c.seat)
    pools = pavilions_of(c.before, c.seat, best)
    if not pools or pavilions_of(c.before, c.seat, played):
        return None
    return Reason("tray_gift", {"color": COLOR_LETTERS[best], "pool": first_pool(pools)})


def tray_gave(c: Comparison) -> Reason | None:
    """A die with which another player completes a pool, and only with this one."""
    for other in c.others if are_turned(c) else ():
        played, best = dice(c, other)
        pools = completed_by(c.before, other, played)
        if pools and not completed_by(c.before, other, best):
            return _tray_gave("tray_gave", other, played, pools)
    return None


def tray_gave_gift(c: Comparison) -> Reason | None:
    for other in c.others if are_turned(c) else ():
        played, best = dice(c, other)
        pools = pavilions_of(c.before, other, played)
        if pools and not pavilions_of(c.before, other, best):
            return _tray_gave("tray_gave_gift", other, played, pools)
    return None


def _tray_gave(kind: str, player: Player, color: Color, pools: PoolSet) -> Reason:
    values = {"player": player, "color": COLOR_LETTERS[color], "pool": first_pool(pools)}
    return Reason(kind, values)


def reroll_missed(c: Comparison) -> Reason | None:
    """D6: whichever way the tray is turned, no die completes a pool."""
    if c.best != REROLL or not is_tray(c.played):
        return None
    if any(completed_by(c.before, c.seat, int(color)) for color in c.before.dice):
        return None
    return Reason("reroll_missed", {"count": int(c.before.gifts[c.seat])})


TOPICS: tuple[Topic, ...] = (
    (launch_missed, lower_launch),
    (boat_lost, boat_won),
    (chain, bonus_missed, pool_missed),
    (tray_completes, tray_no_area),
    (tray_gave, tray_gave_gift),
    (card_completes, card_unused),
    (gifts_spent,),
    (area_skipped,),
    (shape_fits, shape_closer),
    (gift_missed, tray_gift),
    (second_group,),
    (next_bonus,),
    (platform_near,),
    (boat_closer,),
    (colors_ready,),
    (reroll_missed,),
)
