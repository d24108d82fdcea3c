/* Made by `npm run types` from docs/schemas; do not edit. */

/**
 * One thing that an action did, distinguished by `event` and, where something moved, by its `cause`.
 */
export type Event =
  | LanternGained
  | FavorGained
  | FavorsPaid
  | LanternMoved
  | LanternsReturned
  | Dedicated
  | TilePlaced
  | TileDrawn
  | TurnEvent
  | Facts
  | Undone;

/**
 * What a seat of Lanterns: The Harvest Festival is shown: the table, and what an action did.
 */
export interface Lanterns {
  view: View;
  events: Event[];
}
/**
 * The table as a seat sees it.
 */
export interface View {
  /**
   * all players who may act now
   */
  actors: number[];
  /**
   * a player with more must dedicate or discard before placing a tile
   */
  card_limit: number;
  /**
   * favors
   */
  exchange_cost: number;
  /**
   * where a tile may be laid
   */
  free_places: number[][];
  /**
   * the name of the game, such as my_game
   */
  game: "lanterns";
  /**
   * what a dedication brings when its stack is empty
   */
  generic_honor: number;
  /**
   * in the order of laying
   */
  lake: LaidTile[];
  /**
   * tiles in the draw stack
   */
  left_to_draw: number;
  /**
   * by player
   */
  names: string[];
  /**
   * tiles that this seat has not seen: in other hands, to be drawn, or out of the game
   */
  not_seen: number[];
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
  supply: Cards1;
  /**
   * the player to act, the first of several who may, or "c" for chance; null at the end
   */
  to_act: number | "c" | null;
  turn: Turn;
  /**
   * once the game is over; several share a victory
   */
  winners: number[];
}
/**
 * A tile on the lake.
 */
export interface LaidTile {
  platform: boolean;
  /**
   * quarter turns clockwise, 0 to 3
   */
  rotation: number;
  /**
   * colors clockwise from north, as it lies
   */
  sides: string;
  /**
   * its number, 0 for the start tile
   */
  tile: number;
  /**
   * to the east of the start tile
   */
  x: number;
  /**
   * to the north of the start tile
   */
  y: number;
}
/**
 * What a player has.
 */
export interface Seat {
  cards: Cards;
  favors: number;
  /**
   * by number of tile; null for a viewer who may not see it
   */
  hand: Tile[] | null;
  /**
   * tiles in hand
   */
  hand_size: number;
  honor: number;
  num_cards: number;
  /**
   * more cards than allowed: the player must dedicate or discard before placing
   */
  over_limit: boolean;
  /**
   * the side of the lake that faces the player
   */
  side: "east" | "north" | "south" | "west";
}
/**
 * A number of lantern cards, by color.
 */
export interface Cards {
  B: number;
  G: number;
  K: number;
  O: number;
  P: number;
  R: number;
  W: number;
}
/**
 * A lake tile as it lies.
 */
export interface Tile {
  platform: boolean;
  /**
   * quarter turns clockwise, 0 to 3
   */
  rotation: number;
  /**
   * colors clockwise from north, as it lies
   */
  sides: string;
  /**
   * its number, 0 for the start tile
   */
  tile: number;
}
/**
 * A stack of dedication tokens.
 */
export interface Stack {
  /**
   * what the tokens left are worth, from the top; when there are none, one takes `generic_honor`
   */
  honors: number[];
  kind: "four_of_a_kind" | "seven_unique" | "three_pairs";
  /**
   * what the next dedication of this kind brings
   */
  pays: number;
  /**
   * what a set is made of: how many cards of each of its colors
   */
  set: number[];
}
/**
 * A number of lantern cards, by color.
 */
export interface Cards1 {
  B: number;
  G: number;
  K: number;
  O: number;
  P: number;
  R: number;
  W: number;
}
/**
 * whose turn it is, and how far it has come
 */
export interface Turn {
  /**
   * the player whose turn it is
   */
  active: number;
  /**
   * the player to whom chance gives the next tile
   */
  drawer: number | null;
  /**
   * no tiles are left: everybody has a last turn without one
   */
  final_round: boolean;
  /**
   * the first step of the turn that may still be taken
   */
  step: "dedicate" | "exchange" | "place";
  /**
   * all steps of the turn, in their order
   */
  steps: ("dedicate" | "discard" | "exchange" | "pass" | "place")[];
}
/**
 * A player gains a card for a matching side, or for the side that faces them.
 */
export interface LanternGained {
  cause: "facing" | "match";
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  color: "B" | "G" | "K" | "O" | "P" | "R" | "W";
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
   * why the count is 0
   */
  reason?: "pile-is-empty";
  /**
   * of the laid tile
   */
  side: "east" | "north" | "south" | "west";
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
 * A matching side brings a favor for a platform.
 */
export interface FavorGained {
  cause: "platform";
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
   * where the neighbor with the platform lies; null for the laid tile's own
   */
  side: ("east" | "north" | "south" | "west") | null;
  /**
   * such as supply, seat:1 or lake
   */
  to: string;
  /**
   * a kind of piece, such as favor, or lantern:R
   */
  what: string;
}
export interface FavorsPaid {
  cause: "exchange_cost";
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
 * A card is exchanged or discarded.
 */
export interface LanternMoved {
  cause: "discard" | "exchange_give" | "exchange_take";
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  color: "B" | "G" | "K" | "O" | "P" | "R" | "W";
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
 * Cards of a set that is dedicated.
 */
export interface LanternsReturned {
  cause: "dedicate_give";
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  color: "B" | "G" | "K" | "O" | "P" | "R" | "W";
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
  stack: "four_of_a_kind" | "seven_unique" | "three_pairs";
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
 * The honor of a dedication; `count` is what it is worth.
 */
export interface Dedicated {
  cause: "dedicate";
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
  stack: "four_of_a_kind" | "seven_unique" | "three_pairs";
  /**
   * such as supply, seat:1 or lake
   */
  to: string;
  /**
   * a token of the stack; false if the stack was empty
   */
  token: boolean;
  /**
   * a kind of piece, such as favor, or lantern:R
   */
  what: string;
}
export interface TilePlaced {
  cause: "place";
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
  rotation: number;
  tile: number;
  /**
   * such as supply, seat:1 or lake
   */
  to: string;
  /**
   * a kind of piece, such as favor, or lantern:R
   */
  what: string;
  /**
   * to the east of the start tile
   */
  x: number;
  /**
   * to the north of the start tile
   */
  y: number;
}
/**
 * A tile comes into a hand; which one, only its owner is told.
 */
export interface TileDrawn {
  cause: "deal" | "draw";
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
  tile?: number;
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
 * The final round begins, or a player ends the last turn.
 */
export interface TurnEvent {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  event: "final_round" | "pass";
  player: number;
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
export interface Turn1 {
  /**
   * the player whose turn it is
   */
  active: number;
  /**
   * the player to whom chance gives the next tile
   */
  drawer: number | null;
  /**
   * no tiles are left: everybody has a last turn without one
   */
  final_round: boolean;
  /**
   * the first step of the turn that may still be taken
   */
  step: "dedicate" | "exchange" | "place";
  /**
   * all steps of the turn, in their order
   */
  steps: ("dedicate" | "discard" | "exchange" | "pass" | "place")[];
}
