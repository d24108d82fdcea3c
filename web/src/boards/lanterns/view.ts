/* Made by `npm run types` from docs/schemas; do not edit. */

/**
 * One thing that an action did, told apart by `event`.
 */
export type Event = TilePlaced | LanternGained | FavorGained | Exchanged | Dedicated | Discarded | PlainEvent;

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
   * whoever has more must dedicate or discard before placing a tile
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
}
/**
 * A tile was laid.
 */
export interface TilePlaced {
  event: "tile_placed";
  /**
   * its place in the list `lake`
   */
  index: number;
  player: number;
  rotation: number;
  tile: number;
}
/**
 * A player gains a card for a matching side, or for the side that faces them, or would but the pile is empty.
 */
export interface LanternGained {
  color: "B" | "G" | "K" | "O" | "P" | "R" | "W";
  event: "facing_lantern" | "match_lantern" | "no_lantern";
  player: number;
  /**
   * of the laid tile
   */
  side: "east" | "north" | "south" | "west";
}
/**
 * A matching side brings a favor for a platform.
 */
export interface FavorGained {
  event: "match_favor";
  player: number;
  /**
   * where the neighbor with the platform lies; null for the laid tile's own
   */
  side: ("east" | "north" | "south" | "west") | null;
}
export interface Exchanged {
  event: "exchanged";
  gave: "B" | "G" | "K" | "O" | "P" | "R" | "W";
  player: number;
  took: "B" | "G" | "K" | "O" | "P" | "R" | "W";
}
export interface Dedicated {
  event: "dedicated";
  honor: number;
  player: number;
  stack: "four_of_a_kind" | "seven_unique" | "three_pairs";
}
export interface Discarded {
  color: "B" | "G" | "K" | "O" | "P" | "R" | "W";
  event: "discarded";
  player: number;
}
/**
 * A player drew a tile, which is a secret, or ended the last turn.
 */
export interface PlainEvent {
  event: "passed" | "tile_drawn";
  player: number;
}
