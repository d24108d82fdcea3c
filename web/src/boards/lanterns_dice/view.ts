/* Made by `npm run types` from docs/schemas; do not edit. */

/**
 * One thing that an action did, told apart by `event`.
 */
export type Event =
  | SheetsDealt
  | ShapesChosen
  | CardsLaid
  | DiceRolled
  | Rerolled
  | TrayTurned
  | AreaShaded
  | GiftEarned
  | PoolEvent
  | CardBought
  | Launched
  | Skipped
  | TurnEnded
  | LastLaunch
  | GameEnded;

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
   * what the player is asked; null when nothing
   */
  choice: ("card" | "card_area" | "die" | "launch" | "platform_bonus" | "second_area" | "tray" | "turn_bonus") | null;
  diagonal_die: ("B" | "G" | "O" | "P" | "R" | "W") | null;
  /**
   * the die that the player faces; null before the tray is turned
   */
  die: ("B" | "G" | "O" | "P" | "R" | "W") | null;
  gifts: number;
  /**
   * of completed pools, the largest first; the second one scores
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
 * Honor as it stands.
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
   * the shape as at orientation o0, rows from the top, X for a pool and a dot for none
   */
  rows: string[];
  shape: "I3" | "L4" | "O4" | "S4" | "T4" | "U5" | "V3" | "X5";
}
export interface Turn {
  /**
   * the player whose turn it is
   */
  active: number;
  /**
   * counted from 1
   */
  number: number;
  /**
   * how many turns everybody takes
   */
  of: number;
  /**
   * what the table does: the work of chance, the tray, `act` for everybody at once, the last launches
   */
  phase: "act" | "emperor" | "fireworks" | "last_launch" | "over" | "roll" | "sheets" | "tray";
}
export interface SheetsDealt {
  event: "sheets_dealt";
  /**
   * letters by player
   */
  sheets: string;
}
export interface ShapesChosen {
  event: "shapes_chosen";
  /**
   * names with spaces between them
   */
  shapes: string;
}
export interface CardsLaid {
  event: "cards_laid";
  /**
   * letters by card
   */
  sides: string;
}
export interface DiceRolled {
  /**
   * colors in tray order
   */
  dice: string;
  event: "dice_rolled";
}
export interface Rerolled {
  event: "rerolled";
  gifts_paid: number;
  player: number;
}
export interface TrayTurned {
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
  color: "B" | "G" | "O" | "P" | "R" | "W";
  event: "area_shaded";
  player: number;
}
/**
 * A pavilion was shaded.
 */
export interface GiftEarned {
  event: "gift_earned";
  /**
   * how many the player has now
   */
  gifts: number;
  player: number;
  /**
   * column from the left and row from the bottom, such as c4
   */
  pool: string;
}
/**
 * A pool is completed, its boat is lost, or the bonus of its platform is due.
 */
export interface PoolEvent {
  event: "boat_lost" | "bonus_due" | "pool_completed";
  player: number;
  /**
   * column from the left and row from the bottom, such as c4
   */
  pool: string;
}
export interface CardBought {
  /**
   * 1 to 3
   */
  card: number;
  event: "card_bought";
  gifts_paid: number;
  player: number;
}
export interface Launched {
  event: "launched";
  honor: number;
  /**
   * shape, orientation and the lower left pool of the box around the tile, such as T4o2@c4
   */
  launch: string;
  player: number;
}
export interface Skipped {
  choice: "card" | "card_area" | "die" | "launch" | "platform_bonus" | "second_area" | "tray" | "turn_bonus";
  event: "skipped";
  player: number;
}
export interface TurnEnded {
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
  event: "last_launch";
  player: number;
}
export interface GameEnded {
  event: "game_ended";
}
