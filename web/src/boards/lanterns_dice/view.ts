/* Made by `npm run types` from docs/schemas; do not edit. */

/**
 * One thing that an action did, distinguished by `event` and, where something moved, by its `cause`.
 */
export type Event =
  | SheetsDealt
  | ShapesChosen
  | CardsLaid
  | DiceRolled
  | TrayTurned
  | AreaShaded
  | PoolEvent
  | BonusDue
  | GiftEarned
  | Rerolled
  | CardBought
  | Launched
  | Skipped
  | TurnEnded
  | LastLaunch
  | GameEnded
  | Facts
  | Undone;

/**
 * What a seat of Lanterns Dice: Lights in the Sky is shown: the table, and what an action did.
 */
export interface LanternsDice {
  view: View;
  events: Event[];
}
/**
 * The table, the same for all seats.
 */
export interface View {
  /**
   * all players who may act now
   */
  actors: number[];
  /**
   * the colors in tray order; null before the roll
   */
  dice: string | null;
  emperor: Card[];
  /**
   * the name of the game, such as my_game
   */
  game: "lanterns_dice";
  /**
   * by player
   */
  names: string[];
  /**
   * by player, once the game is over: 1 for the winners; tied players share a place
   */
  placements: number[];
  /**
   * how many people play
   */
  players: number;
  /**
   * how many entries the log has
   */
  ply: number;
  /**
   * gifts
   */
  reroll_cost: number;
  /**
   * by player, as they stand
   */
  scores: number[];
  /**
   * the player who is shown this; null for a spectator
   */
  seat: number | null;
  /**
   * by player
   */
  seats: Seat[];
  stacks: Stack[];
  /**
   * the player to act, the first of several who may, or "c" for chance; null at the end
   */
  to_act: number | "c" | null;
  /**
   * by how many quarters it is turned; null before it is
   */
  tray: number | null;
  turn: Turn;
  /**
   * once the game is over; several share a victory
   */
  winners: number[];
}
/**
 * One of the emperor's cards.
 */
export interface Card {
  action: ("any_die" | "colour_not_shown" | "diagonal_die" | "own_die" | "two_same" | "whole_pool") | null;
  /**
   * 1 to 3
   */
  card: number;
  /**
   * gifts
   */
  cost: number;
  /**
   * the side that lies up; null before the set-up is dealt
   */
  side: ("A" | "B") | null;
}
/**
 * What a player has; all of it is public.
 */
export interface Seat {
  /**
   * what there is of the boats on the sheet
   */
  boats: Boat[];
  /**
   * the platform whose bonus is due
   */
  bonus_pool: string | null;
  /**
   * the emperor's card bought this turn
   */
  card: number | null;
  /**
   * the colors to which each card of the emperor is limited; empty where there is no limit, or no tray turned yet
   */
  card_colors: string[];
  /**
   * what the player is asked; null when nothing
   */
  choice: ("card" | "card_area" | "die" | "launch" | "platform_bonus" | "second_area" | "tray" | "turn_bonus") | null;
  /**
   * the die on the other side of the tray
   */
  diagonal_die: ("B" | "G" | "O" | "P" | "R" | "W") | null;
  /**
   * the die that the player faces; null before the tray is turned
   */
  die: ("B" | "G" | "O" | "P" | "R" | "W") | null;
  gifts: number;
  /**
   * of completed pools, the largest first
   */
  groups: string[][];
  /**
   * rows from the top, written as in a components file, such as BG# for a pool; null before the deal
   */
  lake: string[] | null;
  /**
   * by stack
   */
  reach: Reach[];
  score: Score;
  /**
   * which of the groups scores, counted from 0; null when none does
   */
  scoring_group: number | null;
  /**
   * Items: a pool and its half, u for upper or l for lower, such as c4u
   */
  shaded: string[];
  /**
   * null before the sheets are dealt
   */
  sheet: ("A" | "B" | "C" | "D") | null;
  /**
   * in the order of launching
   */
  tiles: Tile[];
  /**
   * the place at the tray, 0 to 3
   */
  tray_seat: number;
  /**
   * the color of each turn's bonus, in order
   */
  turn_bonuses: string | null;
  /**
   * how many of the player's own turns are over
   */
  turns_taken: number;
}
export interface Boat {
  /**
   * its own pool is shaded, so it cannot score any more
   */
  lost: boolean;
  /**
   * neighbors that are not completed yet
   *
   * Items: column from the left and row from the bottom, such as c4
   */
  missing: string[];
  /**
   * column from the left and row from the bottom, such as c4
   */
  pool: string;
  /**
   * it scores
   */
  surrounded: boolean;
}
/**
 * Where a tile of a shape fits.
 */
export interface Reach {
  /**
   * where it fits now
   *
   * Items: shape, orientation and the lower left pool of the box around the tile, such as T4o2@c4
   */
  launches: string[];
  /**
   * areas to shade until it fits somewhere; null when there is no room or no tile left
   */
  missing: number | null;
  shape: "I3" | "L4" | "O4" | "S4" | "T4" | "U5" | "V3" | "X5";
}
/**
 * what the sheet is worth as it stands
 */
export interface Score {
  boats: number;
  fireworks: number;
  second_group: number;
  total: number;
}
/**
 * A launched fireworks tile.
 */
export interface Tile {
  honor: number;
  /**
   * shape, orientation and the lower left pool of the box around the tile, such as T4o2@c4
   */
  launch: string;
  /**
   * Items: column from the left and row from the bottom, such as c4
   */
  pools: string[];
  shape: "I3" | "L4" | "O4" | "S4" | "T4" | "U5" | "V3" | "X5";
}
/**
 * A stack of fireworks tiles.
 */
export interface Stack {
  /**
   * of the tiles left, from the top
   */
  honors: number[];
  /**
   * what the next launch brings; null when no tile is left
   */
  pays: number | null;
  /**
   * the shape as at orientation o0, rows from the top, X for a pool and a dot for none
   */
  rows: string[];
  shape: "I3" | "L4" | "O4" | "S4" | "T4" | "U5" | "V3" | "X5";
}
/**
 * whose turn it is, and what the table does
 */
export interface Turn {
  /**
   * the player whose turn it is
   */
  active: number;
  /**
   * what the player whose turn it is does, in this order
   */
  active_steps: ("card" | "card_area" | "die" | "launch" | "platform_bonus" | "second_area" | "tray" | "turn_bonus")[];
  /**
   * counted from 1
   */
  number: number;
  /**
   * how many turns everybody takes
   */
  of: number;
  /**
   * what everybody else does
   */
  other_steps: ("card" | "card_area" | "die" | "launch" | "platform_bonus" | "second_area" | "tray" | "turn_bonus")[];
  /**
   * what the table does: the work of chance, the tray, `act` for everybody at once, the last launches
   */
  phase: "act" | "emperor" | "fireworks" | "last_launch" | "over" | "roll" | "sheets" | "tray";
}
export interface SheetsDealt {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  event: "sheets_dealt";
  /**
   * letters by player
   */
  sheets: string;
}
export interface ShapesChosen {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  event: "shapes_chosen";
  /**
   * names with spaces between them
   */
  shapes: string;
}
export interface CardsLaid {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  event: "cards_laid";
  /**
   * letters by card
   */
  sides: string;
}
export interface DiceRolled {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  /**
   * colors in tray order
   */
  dice: string;
  event: "dice_rolled";
}
export interface TrayTurned {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  event: "tray_turned";
  player: number;
  /**
   * quarters
   */
  tray: number;
}
export interface AreaShaded {
  /**
   * a pool and its half, u for upper or l for lower, such as c4u
   */
  area: string;
  /**
   * what the player was asked
   */
  by: "card" | "card_area" | "die" | "launch" | "platform_bonus" | "second_area" | "tray" | "turn_bonus";
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  color: "B" | "G" | "O" | "P" | "R" | "W";
  event: "area_shaded";
  player: number;
}
/**
 * A pool is completed, or its boat is lost.
 */
export interface PoolEvent {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  event: "boat_lost" | "pool_completed";
  player: number;
  /**
   * column from the left and row from the bottom, such as c4
   */
  pool: string;
}
/**
 * The platform of a completed pool gives a bonus.
 */
export interface BonusDue {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  /**
   * 1, or 0 if there is no area for it beside the pool
   */
  count: number;
  event: "bonus_due";
  player: number;
  /**
   * column from the left and row from the bottom, such as c4
   */
  pool: string;
}
/**
 * A pavilion was shaded.
 */
export interface GiftEarned {
  cause: "pavilion";
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  /**
   * how many; 0 where a rule gave nothing
   */
  count: number;
  event: "move";
  /**
   * such as supply, seat:1 or lake
   */
  from: string;
  /**
   * how many the player has now
   */
  gifts: number;
  /**
   * who gains or gives it
   */
  player: number;
  /**
   * column from the left and row from the bottom, such as c4
   */
  pool: string;
  /**
   * such as supply, seat:1 or lake
   */
  to: string;
  /**
   * a kind of piece, such as favor, or lantern:R
   */
  what: string;
}
/**
 * Gifts are paid for another roll.
 */
export interface Rerolled {
  cause: "reroll";
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  /**
   * how many; 0 where a rule gave nothing
   */
  count: number;
  event: "move";
  /**
   * such as supply, seat:1 or lake
   */
  from: string;
  /**
   * who gains or gives it
   */
  player: number;
  /**
   * such as supply, seat:1 or lake
   */
  to: string;
  /**
   * a kind of piece, such as favor, or lantern:R
   */
  what: string;
}
/**
 * Gifts are paid for a card of the emperor.
 */
export interface CardBought {
  /**
   * 1 to 3
   */
  card: number;
  cause: "card";
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  /**
   * how many; 0 where a rule gave nothing
   */
  count: number;
  event: "move";
  /**
   * such as supply, seat:1 or lake
   */
  from: string;
  /**
   * who gains or gives it
   */
  player: number;
  /**
   * such as supply, seat:1 or lake
   */
  to: string;
  /**
   * a kind of piece, such as favor, or lantern:R
   */
  what: string;
}
/**
 * A tile goes from its stack to a lake; `count` is what it is worth.
 */
export interface Launched {
  cause: "launch";
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  /**
   * how many; 0 where a rule gave nothing
   */
  count: number;
  event: "move";
  /**
   * such as supply, seat:1 or lake
   */
  from: string;
  /**
   * shape, orientation and the lower left pool of the box around the tile, such as T4o2@c4
   */
  launch: string;
  /**
   * who gains or gives it
   */
  player: number;
  shape: "I3" | "L4" | "O4" | "S4" | "T4" | "U5" | "V3" | "X5";
  /**
   * such as supply, seat:1 or lake
   */
  to: string;
  /**
   * a kind of piece, such as favor, or lantern:R
   */
  what: string;
}
export interface Skipped {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  choice: "card" | "card_area" | "die" | "launch" | "platform_bonus" | "second_area" | "tray" | "turn_bonus";
  event: "skipped";
  player: number;
}
export interface TurnEnded {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  event: "turn_ended";
  /**
   * whose turn it was
   */
  player: number;
  /**
   * counted from 1
   */
  turn: number;
}
/**
 * A player may launch once more.
 */
export interface LastLaunch {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  event: "last_launch";
  player: number;
}
export interface GameEnded {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  event: "game_ended";
}
/**
 * What follows from the new position: the changes of all derived fields, after everything else.
 */
export interface Facts {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes: unknown[][];
  event: "facts";
}
/**
 * The game went back to where a log entry had not happened yet.
 */
export interface Undone {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  event: "undone";
  /**
   * the log entry
   */
  to: number;
}
/**
 * Honor as it stands.
 */
export interface Score1 {
  boats: number;
  fireworks: number;
  second_group: number;
  total: number;
}
export interface Turn1 {
  /**
   * the player whose turn it is
   */
  active: number;
  /**
   * what the player whose turn it is does, in this order
   */
  active_steps: ("card" | "card_area" | "die" | "launch" | "platform_bonus" | "second_area" | "tray" | "turn_bonus")[];
  /**
   * counted from 1
   */
  number: number;
  /**
   * how many turns everybody takes
   */
  of: number;
  /**
   * what everybody else does
   */
  other_steps: ("card" | "card_area" | "die" | "launch" | "platform_bonus" | "second_area" | "tray" | "turn_bonus")[];
  /**
   * what the table does: the work of chance, the tray, `act` for everybody at once, the last launches
   */
  phase: "act" | "emperor" | "fireworks" | "last_launch" | "over" | "roll" | "sheets" | "tray";
}
