/* Made by `npm run types` from docs/schemas; do not edit. */

/**
 * One thing that an action did, told apart by `event`.
 */
export type Event = TokenEvent | Seated | PointsChanged | PlainEvent;

/**
 * What a seat of Lumens is shown: the table, and what an action did.
 */
export interface Lumens {
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
  board: Board;
  /**
   * the name of the game, such as my_game
   */
  game: "lumens";
  last_placed: string | null;
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
  rooms: Room[];
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
  /**
   * all that have a token, by row from the bottom
   */
  squares: Light[];
  /**
   * where the player whose turn it is may place; empty while somebody draws
   */
  targets: Target[];
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
export interface Board {
  /**
   * the room whose pips break ties
   */
  center: string;
  columns: number;
  /**
   * rows from the top: letters are rooms, dots are passages, spaces are no squares
   */
  map: string[];
  rows: number;
}
export interface Room {
  /**
   * whether its pips break ties
   */
  center: boolean;
  /**
   * the players with the most pips; nobody in a dark room
   */
  leaders: number[];
  /**
   * by player
   */
  pips: number[];
  /**
   * what it pays as it stands, by player
   */
  points: number[];
  /**
   * A to Z
   */
  room: string;
}
/**
 * What a player has. For others, bag and hand are one number per kind.
 */
export interface Seat {
  /**
   * pips in the center room, which break ties
   */
  center_pips: number;
  color: "green" | "red" | "violet" | "yellow";
  /**
   * the faces of the token in hand; null if there is none, and in the eyes of everybody else
   */
  hand: number[] | null;
  /**
   * 0 or 1
   */
  hand_size: number;
  /**
   * whether the face of the start token is chosen
   */
  has_chosen: boolean;
  /**
   * whether the player was blocked and plays no more
   */
  is_out: boolean;
  /**
   * their sum
   */
  num_unshown: number;
  points: number;
  /**
   * where the start marker lies; null before the seats are dealt
   */
  start: string | null;
  /**
   * the face chosen in secret; null before and after, and in the eyes of everybody else
   */
  start_face: number | null;
  /**
   * whether the way back to the start marker, once per game, is open
   */
  start_right: boolean;
  /**
   * tokens in bag and hand
   */
  unshown: Kind[];
}
/**
 * A kind of token, and how many of it a player has not shown yet.
 */
export interface Kind {
  count: number;
  /**
   * the pips of its two sides, the lower first
   */
  faces: number[];
}
/**
 * The token on top of a square.
 */
export interface Light {
  /**
   * the dead token below it
   */
  covered: Token | null;
  /**
   * the pips it shows
   */
  face: number;
  /**
   * its owner
   */
  player: number;
  /**
   * column from the left and row from the bottom, such as c5
   */
  square: string;
}
/**
 * A token on the board.
 */
export interface Token {
  /**
   * the pips it shows
   */
  face: number;
  /**
   * its owner
   */
  player: number;
}
/**
 * A square on which the player whose turn it is may place.
 */
export interface Target {
  /**
   * the tokens that count there
   *
   * Items: column from the left and row from the bottom, such as c5
   */
  origins: string[];
  /**
   * north, east, south, west: a token placed here could count on that way with any face up to this one
   */
  reach: number[];
  /**
   * column from the left and row from the bottom, such as c5
   */
  square: string;
  /**
   * whether it is the way back to the start marker, which needs no count
   */
  start_right: boolean;
}
export interface Turn {
  /**
   * the player whose turn it is; null before the first turn
   */
  active: number | null;
  /**
   * the player to whom chance gives the next token
   */
  drawer: number | null;
  phase: "hand_draw" | "over" | "play" | "seats" | "start_draw" | "start_face";
}
/**
 * A start token was shown, a token was placed, or a token died below another.
 */
export interface TokenEvent {
  event: "start_shown" | "token_covered" | "token_placed";
  face: number;
  /**
   * whose token it is
   */
  player: number;
  /**
   * column from the left and row from the bottom, such as c5
   */
  square: string;
}
/**
 * Chance gave a player a start square.
 */
export interface Seated {
  event: "seated";
  player: number;
  /**
   * column from the left and row from the bottom, such as c5
   */
  square: string;
}
/**
 * What a room pays to a player has changed.
 */
export interface PointsChanged {
  event: "points_gained" | "points_lost";
  player: number;
  /**
   * by how many, above 0
   */
  points: number;
  /**
   * A to Z
   */
  room: string;
}
/**
 * A player drew a token or chose a start face, which are secrets, or is out of the game.
 */
export interface PlainEvent {
  event: "blocked" | "start_chosen" | "token_drawn";
  player: number;
}
