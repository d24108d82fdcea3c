"""The claims of the coach of Lanterns Dice, by the oracle."""

from __future__ import annotations

from typing import Any

from tests.oracles.lanterns_dice import EMPEROR, beside, groups, orientations, pools_under
from tests.reviews.claims import Check, Claim

HALVES = "ul"


def sheet(c: Claim, oracle: Any) -> Any:
    return oracle.sheets[c.seat]


def sheets(c: Claim) -> tuple[Any, Any, Any]:
    """Before, after what was played, after the better action."""
    return sheet(c, c.before), sheet(c, c.after), sheet(c, c.better)


def open_halves(of: Any, pool: str) -> list[str]:
    return [half for half in HALVES if pool + half not in of.shaded]


def completed_by(of: Any, color: str) -> set[str]:
    """The pools that one area of a color completes."""
    return {
        name
        for name, pool in of.lake.items()
        if len(open_halves(of, name)) == 1 and pool.color(open_halves(of, name)[0]) == color
    }


def pavilions(of: Any, color: str) -> set[str]:
    """The open areas of a color with a pavilion, by pool."""
    return {
        area[:-1] for area in of.open_areas(color) if of.lake[area[:-1]].has_pavilion_in(area[-1])
    }


def completed_next(oracle: Any, player: int) -> set[str]:
    """The pools that the player's next choice can complete."""
    of = oracle.sheets[player]
    areas = oracle._choices(player, of.steps[0])
    whole = {area[:-2] for area in areas if area.endswith("ul")}
    single = {area[:-1] for area in areas if not area.endswith("ul")}
    return whole | {pool for pool in single if len(open_halves(of, pool)) == 1}


def missing(oracle: Any, player: int, shape: str) -> int | None:
    """The fewest areas to shade until a tile fits: every place tried."""
    of, grid = oracle.sheets[player], oracle.components["grid"]
    if not oracle.stacks[shape]:
        return None
    rows = oracle.components["fireworks"]["shapes"][shape]["rows"]
    found = [
        sum(len(open_halves(of, pool)) for pool in pools)
        for look in orientations(rows).values()
        for column in range(grid["cols"])
        for row in range(1, grid["rows"] + 1)
        for pools in [pools_under(look, column, row)]
        if all(pool in of.lake for pool in pools) and not of.covered() & set(pools)
    ]
    return min(found, default=None)


def paid(c: Claim, oracle: Any) -> int:
    return int(c.before.sheets[c.seat].gifts - oracle.sheets[c.seat].gifts)


def launched(c: Claim, oracle: Any) -> Any:
    """The tile that an action launched."""
    before, after = sheet(c, c.before).launched, sheet(c, oracle).launched
    return after[-1] if len(after) > len(before) else None


def launch_missed(c: Claim) -> bool:
    tile = launched(c, c.better)
    is_missed = tile is not None and launched(c, c.after) is None
    return is_missed and (tile.shape, tile.honor) == (c.values["shape"], c.values["count"])


def lower_launch(c: Claim) -> bool:
    played, best = launched(c, c.after).honor, launched(c, c.better).honor
    return (played, best) == (c.values["count"], c.values["best"]) and played < best


def boat_lost(c: Claim) -> bool:
    pool, (before, after, better) = c.values["pool"], sheets(c)
    is_boat = before.lake[pool].feature == "b"
    left = [pool in of.untouched() for of in (before, after, better)]
    return is_boat and left == [True, False, True]


def scores_boat(of: Any, pool: str) -> bool:
    is_boat = of.lake[pool].feature == "b" and pool in of.untouched()
    return is_boat and of.completed().issuperset(beside(pool))


def boat_won(c: Claim) -> bool:
    _, after, better = sheets(c)
    return scores_boat(better, c.values["pool"]) and not scores_boat(after, c.values["pool"])


def boat_closer(c: Claim) -> bool:
    pool, (_, after, better) = c.values["pool"], sheets(c)
    left, best = (len(set(beside(pool)) - of.completed()) for of in (after, better))
    is_boat = better.lake[pool].feature == "b" and pool in after.untouched() & better.untouched()
    return is_boat and (left, best) == (c.values["count"], c.values["best"]) and left > best


def new_pools(c: Claim, of: Any) -> set[str]:
    return set(of.completed() - sheet(c, c.before).completed())


def pool_missed(c: Claim) -> bool:
    _, after, better = sheets(c)
    return c.values["pool"] in new_pools(c, better) and c.values["pool"] not in after.completed()


def bonus_missed(c: Claim) -> bool:
    pool, better = c.values["pool"], sheet(c, c.better)
    step = better.steps[0]
    is_platform = better.lake[pool].feature == "#" and (step.kind, step.pool) == ("platform", pool)
    return pool_missed(c) and is_platform and bool(better.open_areas_beside(pool))


def chain(c: Claim) -> bool:
    return bonus_missed(c) and c.values["other"] in completed_next(c.better, c.seat)


def tray_completes(c: Claim) -> bool:
    before, color = sheet(c, c.before), c.values["color"]
    pools = completed_by(before, color)
    is_turned = c.better._die_faced(c.seat) == color
    return (
        is_turned
        and c.values["pool"] in pools
        and not completed_by(before, c.after._die_faced(c.seat))
    )


def tray_no_area(c: Claim) -> bool:
    color = c.values["color"]
    return c.after._die_faced(c.seat) == color and not sheet(c, c.before).open_areas(color)


def tray_gift(c: Claim) -> bool:
    before, color = sheet(c, c.before), c.values["color"]
    is_turned = c.better._die_faced(c.seat) == color
    is_new = not pavilions(before, c.after._die_faced(c.seat))
    return is_turned and is_new and c.values["pool"] in pavilions(before, color)


def tray_gave(c: Claim) -> bool:
    rival, color = c.values["player"], c.values["color"]
    before = c.before.sheets[rival]
    is_given = rival != c.seat and c.after._die_faced(rival) == color
    is_new = not completed_by(before, c.better._die_faced(rival))
    return is_given and is_new and c.values["pool"] in completed_by(before, color)


def tray_gave_gift(c: Claim) -> bool:
    rival, color = c.values["player"], c.values["color"]
    before = c.before.sheets[rival]
    is_given = rival != c.seat and c.after._die_faced(rival) == color
    is_new = not pavilions(before, c.better._die_faced(rival))
    return is_given and is_new and c.values["pool"] in pavilions(before, color)


def card_completes(c: Claim) -> bool:
    return c.best[0] == "e" and c.values["pool"] in completed_next(c.better, c.seat)


def card_unused(c: Claim) -> bool:
    gifts, cost = sheet(c, c.before).gifts, c.before._card(c.best)[0]
    is_true = (gifts, cost) == (c.values["count"], c.values["cost"])
    return is_true and c.played == "skip" and cost <= gifts


def gifts_spent(c: Claim) -> bool:
    spent, best = paid(c, c.after), paid(c, c.better)
    return (spent, best) == (c.values["count"], c.values["best"]) and spent > best


def area_skipped(c: Claim) -> bool:
    shaded = sheet(c, c.better).shaded - sheet(c, c.before).shaded
    return c.played == "skip" and len(shaded) >= 1 and paid(c, c.better) <= 0


def shape_fits(c: Claim) -> bool:
    shape = c.values["shape"]
    fits = missing(c.better, c.seat, shape) == 0 != missing(c.after, c.seat, shape)
    return fits and c.better.stacks[shape][0] == c.values["count"]


def shape_closer(c: Claim) -> bool:
    left, best = (missing(each, c.seat, c.values["shape"]) for each in (c.after, c.better))
    return (left, best) == (c.values["count"], c.values["best"]) and c.values["count"] > c.values[
        "best"
    ]


def gift_missed(c: Claim) -> bool:
    _, after, better = sheets(c)
    return bool(better.gifts - after.gifts == c.values["count"] > 0)


def size_of_second(of: Any) -> int:
    sizes = sorted(map(len, groups(of.completed())), reverse=True)
    return sizes[1] if len(sizes) > 1 else 0


def second_group(c: Claim) -> bool:
    _, after, better = sheets(c)
    sizes = size_of_second(after), size_of_second(better)
    return sizes == (c.values["size"], c.values["best"]) and sizes[0] < sizes[1]


def next_bonus_color(oracle: Any, player: int) -> str:
    """The printed column, read from the turn bonus that the player has not had yet."""
    column, turn = oracle.sheets[player].bonuses, oracle.turn - 1
    if player > oracle.active:
        return str(column[turn])
    if player == oracle.active and oracle.phase == "steps":
        steps = oracle.sheets[player].steps
        before = steps[: steps.index(EMPEROR)] if EMPEROR in steps else []
        is_due = any(step.kind == "area" for step in before)
        return str(column[turn if is_due else turn + 1])
    return str(column[turn if player == oracle.active else turn + 1])


def next_bonus(c: Claim) -> bool:
    _, after, better = sheets(c)
    color = c.values["color"]
    is_next = next_bonus_color(c.better, c.seat) == color
    is_new = not completed_by(after, color)
    return is_next and is_new and c.values["pool"] in completed_by(better, color)


def platform_near(c: Claim) -> bool:
    pool, (_, after, better) = c.values["pool"], sheets(c)
    is_platform = better.lake[pool].feature == "#"
    return is_platform and len(open_halves(better, pool)) == 1 < len(open_halves(after, pool))


def colors_ready(c: Claim) -> bool:
    _, after, better = sheets(c)
    colors = c.before.components["colors"]
    count, best = (sum(bool(completed_by(of, color)) for color in colors) for of in (after, better))
    return (count, best) == (c.values["count"], c.values["best"]) and count < best


def reroll_missed(c: Claim) -> bool:
    before = sheet(c, c.before)
    is_hopeless = not any(completed_by(before, color) for color in c.before.dice)
    return is_hopeless and c.best == "reroll" and before.gifts == c.values["count"]


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        launch_missed, lower_launch, boat_lost, boat_won, boat_closer, pool_missed, bonus_missed,
        chain, tray_completes, tray_no_area, tray_gift, tray_gave, tray_gave_gift, card_completes,
        card_unused, gifts_spent, area_skipped, shape_fits, shape_closer, gift_missed,
        second_group, next_bonus, platform_near, colors_ready, reroll_missed,
    )
}  # fmt: skip
