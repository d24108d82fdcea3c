/* Made by `npm run types` from docs/schemas; do not edit. */

/**
 * One thing that an action did, distinguished by `event` and, where something moved, by its `cause`.
 */
export type Event = TokenMoved | TokenDrawn | TokenCovered | Seated | StartChosen | Score | Blocked | Facts | Undone;

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
   * where the player whose turn it is may place; empty during a draw
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
   * the squares to which a token placed here could count next, with spaces between them: by face, from 1 to the highest that could
   */
  onward: string[];
  /**
   * the tokens that count there
   *
   * Items: column from the left and row from the bottom, such as c5
   */
  origins: string[];
  /**
   * column from the left and row from the bottom, such as c5
   */
  square: string;
  /**
   * whether it is the way back to the start marker, which needs no count
   */
  start_right: boolean;
}
/**
 * whose turn it is, and how far the game has come
 */
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
 * A token comes to the board: a start token that is shown, or a token that is placed.
 */
export interface TokenMoved {
  cause: "place" | "start";
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
   * the pips it shows
   */
  face: number;
  /**
   * such as supply, seat:1 or lake
   */
  from: string;
  /**
   * who gains or gives it
   */
  player: number;
  /**
   * where its pips count; null on a passage
   */
  room: string | null;
  /**
   * column from the left and row from the bottom, such as c5
   */
  square: string;
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
 * A token comes from the bag into the hand; which one, only its owner is told.
 */
export interface TokenDrawn {
  cause: "draw";
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
   * the pips of its two sides
   */
  faces?: number[];
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
 * A token died below another, and its pips count no more.
 */
export interface TokenCovered {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  event: "covered";
  face: number;
  /**
   * whose token it was
   */
  player: number;
  /**
   * where its pips counted; null on a passage
   */
  room: string | null;
  /**
   * column from the left and row from the bottom, such as c5
   */
  square: string;
}
/**
 * Chance gave a player a start square.
 */
export interface Seated {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  event: "seated";
  player: number;
  /**
   * column from the left and row from the bottom, such as c5
   */
  square: string;
}
/**
 * A player has chosen a start face; which one, only that player is told.
 */
export interface StartChosen {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  event: "start_chosen";
  face?: number;
  player: number;
}
/**
 * What a room pays to a player has changed.
 */
export interface Score {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  /**
   * by how many points, below 0 for a loss
   */
  count: number;
  event: "score";
  player: number;
  /**
   * A to Z
   */
  room: string;
}
/**
 * A player has nowhere to place and is out of the game.
 */
export interface Blocked {
  /**
   * how the view changes with it, in order (see `core.fold`); missing where only the past is told
   */
  changes?: unknown[][];
  event: "blocked";
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
   * the player whose turn it is; null before the first turn
   */
  active: number | null;
  /**
   * the player to whom chance gives the next token
   */
  drawer: number | null;
  phase: "hand_draw" | "over" | "play" | "seats" | "start_draw" | "start_face";
}
