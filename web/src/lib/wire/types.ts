/* Made by `npm run types` from docs/schemas; do not edit. */

/**
 * How a notification reaches a person who is not here.
 */
export type WayKind = "mail" | "push" | "webhook";
export type NoticeKind = "asked" | "invited" | "over" | "soon" | "turn";
export type TableStatus = "finished" | "open" | "quarantined" | "running" | "stopped";
export type SeatKind = "bot" | "local" | "open" | "person";
export type QuestionKind = "continue" | "pause" | "stop" | "undo";
export type NoticeState = "failed" | "seen" | "sent" | "settled" | "waiting";
export type Incoming =
  Act | Undo | Stop | Pause | Continue | Answer | Resign | Leave | Return | Say | Sync | Ping | Look;
export type Outgoing = Update | LargeEffects | Info | Said | Done | Problem | Announced | Pong;
export type Pace = NoClock | Clock | Days;

/**
 * Everything that lets a device act for you, or come back as you.
 */
export interface Access {
  devices: Device[];
  passkeys: Passkey[];
  phrase_ms: number | null;
  phrase_kept: boolean;
  mail: string[];
}
/**
 * A browser or program that acts for you.
 */
export interface Device {
  id: string;
  kind: "browser" | "program";
  label: string;
  created_ms: number;
  seen_ms: number;
  current: boolean;
}
export interface Passkey {
  id: string;
  label: string;
  created_ms: number;
  used_ms: number | null;
}
/**
 * Do an action of the list that came with `ply`.
 */
export interface Act {
  do: "act";
  /**
   * chosen by the sender; the same id is done only once
   */
  id: string;
  seat: number;
  ply: number;
  action: string;
}
export interface AddPasskey {
  credential: {
    [k: string]: unknown;
  };
}
/**
 * Replaces what was announced before; without a text nothing is announced any more.
 */
export interface Announce {
  text: string | null;
  for_seconds?: number | null;
}
/**
 * The operator says something to everybody, or no longer does.
 */
export interface Announced {
  type: "announced";
  announcement: Announcement | null;
}
/**
 * A sentence from the operator to everybody.
 */
export interface Announcement {
  text: string;
  until_ms?: number | null;
}
/**
 * Agree to what another player asked, or not.
 */
export interface Answer {
  do: "answer";
  /**
   * chosen by the sender; the same id is done only once
   */
  id: string;
  seat: number;
  request: number;
  yes: boolean;
}
/**
 * How good an action is that a reader tried in place of a decision.
 */
export interface Attempt {
  ply: number;
  seat: number;
  outcome: "better" | "found" | "not-better";
  action: string;
  does: string;
  cost: number;
  interval: number;
  is_exact: boolean;
  is_best: boolean;
}
/**
 * An action that a reader tries in its place.
 */
export interface AttemptRequest {
  record: {
    [k: string]: unknown;
  };
  ply: number;
  action: string;
  /**
   * a language that the server has catalogs for
   */
  language?: string;
}
export interface AuditLine {
  id: string;
  at_ms: number;
  actor: string;
  action: string;
  subject: string;
  details: string;
}
export interface AuditLines {
  entries: AuditLine[];
}
/**
 * A key for a program; it is shown only now.
 */
export interface BotAccount {
  id: string;
  token: string;
}
/**
 * What can be played, and against whom.
 */
export interface Catalogue {
  games: GameInfo[];
  levels: string[];
  default_level: string;
  preparing: string[];
  announcement?: Announcement | null;
  build?: string;
}
export interface GameInfo {
  name: string;
  title: string;
  designer: string;
  players: number[];
  options: (ChoiceOption | NumberOption | TextOption)[];
}
/**
 * One of several values.
 */
export interface ChoiceOption {
  kind: "choice";
  name: string;
  default: string;
  players?: number[];
  choices: string[];
}
/**
 * A whole number within bounds, written without leading zeros.
 */
export interface NumberOption {
  kind: "number";
  name: string;
  default: string;
  players?: number[];
  least: number;
  most: number;
}
/**
 * Words that the game reads itself, such as names of pieces.
 */
export interface TextOption {
  kind: "text";
  name: string;
  default: string;
  players?: number[];
  example: string;
  wanted: string;
}
export interface ChangeExercise {
  suspended: boolean;
}
/**
 * Before the start the host may give an open seat to a bot, or open it again. That alone
 *     does not start the game.
 */
export interface ChangeSeat {
  kind: "bot" | "open";
  level?: string | null;
}
export interface ChatText {
  number: number;
  at_ms: number;
  person: string;
  seat: number | null;
  text: string;
}
export interface ChatTexts {
  lines: ChatText[];
}
/**
 * Exchange a link made on another device for this browser's own key.
 */
export interface Claim {
  code: string;
}
/**
 * So many seconds for the whole game, and some more after every move.
 */
export interface Clock {
  kind: "clock";
  seconds: number;
  increment?: number;
}
/**
 * Time left in milliseconds, and whether it runs.
 */
export interface ClockFace {
  seat: number;
  left_ms: number;
  running: boolean;
}
export interface Command {
  do: "Command";
  /**
   * chosen by the sender; the same id is done only once
   */
  id: string;
  seat: number;
}
/**
 * It is done, and every process has been told.
 */
export interface Completed {}
/**
 * Play on against bots from a position of a game that has ended: after the first `ply` entries
 *     of its record.
 */
export interface Continuation {
  record: {
    [k: string]: unknown;
  };
  ply: number;
  /**
   * @minItems 2
   * @maxItems 8
   */
  seats: SeatChoice[];
  /**
   * a person's own share of the fair chance
   */
  nonce?: string;
}
/**
 * Who will sit there: you, a friend who comes by link, a bot, or a friend at your screen.
 */
export interface SeatChoice {
  kind: "bot" | "local" | "me" | "open";
  level?: string | null;
  name?: string | null;
  friend?: string | null;
}
/**
 * End a pause; in a game with a clock, ask the others to.
 */
export interface Continue {
  do: "continue";
  /**
   * chosen by the sender; the same id is done only once
   */
  id: string;
  seat: number;
}
/**
 * What the guide of a game teaches, in order. The words are the client's.
 */
export interface Course {
  lessons: Lesson[];
}
export interface Lesson {
  name: string;
  steps: LessonStep[];
}
export interface LessonStep {
  name: string;
  rule: string | null;
  waits: boolean;
}
/**
 * So many days for every move.
 */
export interface Days {
  kind: "days";
  days: number;
}
/**
 * The command with that id has been done and will not be forgotten.
 */
export interface Done {
  type: "done";
  id: string;
}
export interface Drain {
  on?: boolean;
  process?: string | null;
}
/**
 * What a page needs to work an outcome of chance out again.
 */
export interface Draw {
  number: number;
  weights: number[];
  outcomes: string[];
}
/**
 * What each legal action would do. Many actions share events, so each event is told once.
 */
export interface Effects {
  events: {
    [k: string]: unknown;
  }[];
  of: number[][];
}
/**
 * What the searches found.
 */
export interface Evidence {
  ply: number;
  /**
   * @maxItems 5000
   */
  values?: number[];
  /**
   * @maxItems 5000
   */
  moves?: FoundAction[];
  /**
   * @maxItems 64
   */
  gaps?: number[];
  /**
   * @maxItems 64
   */
  again?: number[];
}
export interface FoundAction {
  action: number;
  visits: number;
  value: number;
}
/**
 * A decision that you practice.
 */
export interface Exercise {
  id: string;
  game: string;
  players: number;
  seat: number;
  ply: number;
  cost: number;
  interval: number;
  is_exact: boolean;
  kept_ms: number;
  due_ms: number;
  answers: number;
  suspended: boolean;
}
/**
 * The actions that were tried, in order, in notation; none: it was given up.
 */
export interface ExerciseAnswer {
  /**
   * @maxItems 12
   */
  tried: string[];
  hinted?: boolean;
}
/**
 * What an answer was worth, and when the decision is due again.
 */
export interface ExerciseAnswered {
  grade: "again" | "easy" | "good" | "hard";
  exercise: Exercise;
  due: number;
  now_ms: number;
}
/**
 * A decision with the record it is from, in which players have no names.
 */
export interface ExercisePosition {
  exercise: Exercise;
  record: {
    [k: string]: unknown;
  };
}
/**
 * Everything that the server keeps about you. Of very many games and lines, the last.
 */
export interface Export {
  format: string;
  name: string;
  created_ms: number;
  seen_ms: number;
  access: Access;
  profile: Profile;
  games: ExportedGame[];
  chat: ExportedLine[];
  notifications: Notifications;
  removed: string[];
  practice: ExportedExercise[];
}
export interface Profile {
  name: string;
  since_ms: number;
  games: number;
  figures: Figure[];
  pending: number;
  has_older?: boolean;
}
/**
 * Results in one game, with so many players, against opponents of one kind.
 */
export interface Figure {
  game: string;
  players: number;
  against: string;
  total: Share;
  chance: number;
  months: Month[];
}
/**
 * How often something happened: a share, and where it lies with 95 % confidence.
 */
export interface Share {
  games: number;
  wins: number;
  share: number;
  low: number;
  high: number;
}
export interface Month {
  month: string;
  total: Share;
}
export interface ExportedGame {
  table: string;
  game: string;
  options: {
    [k: string]: string;
  };
  pace: {
    [k: string]: unknown;
  };
  created_ms: number;
  ended_ms: number | null;
  reason: string | null;
  seats: ExportedSeat[];
  scores: number[] | null;
  placements: number[] | null;
}
export interface ExportedSeat {
  name: string | null;
  kind: string;
  level: string | null;
  mine: boolean;
}
/**
 * What you wrote at a table.
 */
export interface ExportedLine {
  table: string;
  at_ms: number;
  text: string;
}
/**
 * How a person is notified, and how that is possible here.
 */
export interface Notifications {
  push_key: string | null;
  mail: boolean;
  webhooks: boolean;
  ways: Way[];
  wishes: Wishes;
  vacations: MyVacation[];
  vacation_days: number;
}
/**
 * A way in which the person is notified.
 */
export interface Way {
  id: string;
  kind: WayKind;
  address: string;
  label: string;
  confirmed: boolean;
  problem: string | null;
  created_ms: number;
  here: boolean;
  silent?: boolean;
}
/**
 * When and about what a person wants to be notified.
 */
export interface Wishes {
  /**
   * a language that the server has catalogs for
   */
  language: string;
  /**
   * a time zone, such as Europe/Rome
   */
  zone: string;
  quiet_from?: number | null;
  quiet_to?: number | null;
  escalate_minutes?: number;
  off?: NoticeKind[];
}
export interface MyVacation {
  from_ms: number;
  to_ms: number;
  first: string;
  last: string;
}
/**
 * A position that you practice, and the game it is from, without names.
 */
export interface ExportedExercise {
  exercise: Exercise;
  record: {
    [k: string]: unknown;
  };
}
/**
 * The same messages as the socket's, over plain HTTP.
 */
export interface Feed {
  messages: (Update | LargeEffects | Info | Said | Done | Problem | Announced | Pong)[];
}
/**
 * The table after `steps`, as a seat sees it. `ply` is how many entries the log
 *     has; a gap means: sync. A client that asked for `fold` gets no view where the changes that the events
 *     tell lead to it from the view before; then `since` must be the ply of that view.
 */
export interface Update {
  type: "update";
  table: string;
  seat: number | null;
  since: number;
  ply: number;
  asked: number;
  steps: Step[];
  view: {
    [k: string]: unknown;
  } | null;
  legal: string[];
  effects: Effects | null;
  clocks: ClockFace[];
  drawing?: string;
}
/**
 * One entry of the log as a seat may read it, and what it did.
 */
export interface Step {
  ply: number;
  actor: number | "c";
  action: string;
  events: {
    [k: string]: unknown;
  }[];
}
/**
 * What the actions of an update would do, where that is too much for the update: it follows as soon
 *     as the server has found it. Compressed, since sockets are not.
 */
export interface LargeEffects {
  type: "effects";
  table: string;
  seat: number;
  ply: number;
  deflated: string;
}
export interface Info {
  type: "info";
  table: TableInfo;
}
/**
 * A table as one person sees it.
 */
export interface TableInfo {
  id: string;
  game: string;
  status: TableStatus;
  players: number;
  options: {
    [k: string]: string;
  };
  public: boolean;
  pace: NoClock | Clock | Days;
  seats: Seat[];
  is_host: boolean;
  is_insider: boolean;
  is_removed: boolean;
  invites_me: boolean;
  asks_ready: boolean;
  invite: string | null;
  commitment: string;
  actors: number[];
  ply: number;
  continued: number | null;
  paused: boolean;
  request: Request | null;
  refused: Refused | null;
  result: Result | null;
  hints: boolean;
  next_table: string | null;
  watching: number;
  muted: boolean;
  created_ms: number;
  changed_ms: number;
}
/**
 * Take your time.
 */
export interface NoClock {
  kind: "none";
}
export interface Seat {
  seat: number;
  kind: SeatKind;
  name: string | null;
  level: string | null;
  mine: boolean;
  stand_in: string | null;
  connected: boolean;
  resigned: boolean;
  out_of_time: boolean;
  may_return: boolean;
  ready: boolean;
  host: boolean;
  vacations: Vacation[];
}
/**
 * From a moment to the first one after it.
 */
export interface Vacation {
  from_ms: number;
  to_ms: number;
}
/**
 * Something that the people at the table must agree to.
 */
export interface Request {
  number: number;
  what: QuestionKind;
  by: number;
  agreed: number[];
  waiting: number[];
}
/**
 * A request that a seat said no to.
 */
export interface Refused {
  number: number;
  what: QuestionKind;
  by: number;
  seat: number;
}
/**
 * Seats that resigned or lost on time come last, whatever they scored.
 */
export interface Result {
  reason: "played" | "resigned" | "stopped" | "timeout";
  scores: number[];
  placements: number[];
  winners: number[];
}
export interface Said {
  type: "said";
  number: number;
  at_ms: number;
  seat: number | null;
  name: string;
  text: string | null;
  phrase: ("again" | "good-luck" | "hello" | "oops" | "thanks" | "thinking" | "well-played" | "wow") | null;
}
/**
 * What was wrong with a command or a request, and the rule that speaks against it.
 */
export interface Problem {
  type: "problem";
  code: string;
  message: string;
  id?: string | null;
  where?: string | null;
  rule?: string | null;
  values?: {
    [k: string]: unknown;
  };
  retry_after?: number | null;
}
export interface Pong {
  type: "pong";
}
/**
 * Notices in the outbox, the newest first.
 */
export interface FindNotices {
  state?: NoticeState | null;
  limit?: number;
}
/**
 * The text is the beginning of an id or a part of the name.
 */
export interface FindPeople {
  text?: string;
  limit?: number;
  after?: string;
}
export interface FindSanctions {
  subject?: string | null;
  over?: boolean;
  limit?: number;
}
/**
 * The text is the beginning of an id or a part of a seat's name.
 */
export interface FindTables {
  text?: string;
  status?: TableStatus | null;
  game?: string | null;
  limit?: number;
  after?: string;
}
/**
 * A person you have played with. Nothing here but what your tables showed you.
 */
export interface Friend {
  /**
   * a seat of another person at a table of yours: TABLE.SEAT
   */
  id: string;
  name: string;
  game: string;
  last_ms: number;
}
export interface Friends {
  friends: Friend[];
}
/**
 * The ledger of a game. Decisions are judged a few at a time, by another request.
 */
export interface GameReview {
  plies: number;
  is_over: boolean;
  is_trained: boolean;
  version: number;
  accounts: ReviewAccount[];
  curve: ReviewMoment[];
  decisions: ReviewDecision[];
}
/**
 * Where a seat's result came from, as shares of the other players left behind: all but the
 *     last add up to the last.
 */
export interface ReviewAccount {
  start: number;
  deal: number;
  draws: number;
  own: number;
  others: number;
  remainder: number;
  result: number;
  substituted: number;
}
/**
 * Each seat's chance to win when the log had `ply` entries, from everything on the table.
 */
export interface ReviewMoment {
  ply: number;
  win: number[];
}
/**
 * A decision with an alternative.
 */
export interface ReviewDecision {
  ply: number;
  seat: number;
}
/**
 * Who this browser was until now, if that guest has tables or practices something. The code
 *     takes all of it over, once, within ten minutes.
 */
export interface GuestLeft {
  name: string;
  tables: number;
  exercises: number;
  code: string;
}
export interface Health {
  status: "ok";
  version: string;
  tables: number;
  sockets: number;
  processes: number;
  troubles: string[];
}
export interface Hint {
  ply: number;
  moves: HintMove[];
  events: {
    [k: string]: unknown;
  }[];
  sentence: string;
}
export interface HintMove {
  action: string;
  value: number | null;
  share: number;
  events: {
    [k: string]: unknown;
  }[];
  does: string;
}
/**
 * A move that the player's own browser found, by the id it has in the task.
 */
export interface HintFound {
  action: number;
  visits: number;
  value: number;
}
export interface HintRequest {
  seat: number;
  /**
   * a language that the server has catalogs for
   */
  language?: string;
  /**
   * @maxItems 3
   */
  found?: HintFound[];
  tries?: number;
}
export interface HintTaskRequest {
  seat: number;
}
/**
 * Games that you played to an end, the last first.
 */
export interface History {
  tables: TableInfo[];
  next: string | null;
}
/**
 * Take back the seat's last decision: at once if nothing new was shown since, otherwise the
 *     others are asked.
 */
export interface Undo {
  do: "undo";
  /**
   * chosen by the sender; the same id is done only once
   */
  id: string;
  seat: number;
}
/**
 * Ask the others to end the game without a result.
 */
export interface Stop {
  do: "stop";
  /**
   * chosen by the sender; the same id is done only once
   */
  id: string;
  seat: number;
}
/**
 * Ask the others to pause the game: no clock runs, and nobody can act.
 */
export interface Pause {
  do: "pause";
  /**
   * chosen by the sender; the same id is done only once
   */
  id: string;
  seat: number;
}
/**
 * Give up: the seat comes last. A bot plays it to the end if others still play.
 */
export interface Resign {
  do: "resign";
  /**
   * chosen by the sender; the same id is done only once
   */
  id: string;
  seat: number;
}
/**
 * Let a bot play the seat.
 */
export interface Leave {
  do: "leave";
  /**
   * chosen by the sender; the same id is done only once
   */
  id: string;
  seat: number;
}
/**
 * Take the seat back from its bot.
 */
export interface Return {
  do: "return";
  /**
   * chosen by the sender; the same id is done only once
   */
  id: string;
  seat: number;
}
export interface Say {
  do: "say";
  /**
   * chosen by the sender; the same id is done only once
   */
  id: string;
  text?: string | null;
  phrase?: ("again" | "good-luck" | "hello" | "oops" | "thanks" | "thinking" | "well-played" | "wow") | null;
}
/**
 * Send everything since that ply again.
 */
export interface Sync {
  do: "sync";
  since?: number;
}
export interface Ping {
  do: "ping";
}
/**
 * Whether the person looks at the page: a tab in the background is told by other ways, too.
 */
export interface Look {
  do: "look";
  seen: boolean;
}
/**
 * Take an open seat. A table that is not public asks for its invitation.
 */
export interface Join {
  invite?: string | null;
  seat?: number | null;
  name?: string | null;
  /**
   * a person's own share of the fair chance
   */
  nonce?: string;
}
/**
 * A decision judged from what its seat knew.
 */
export interface Judged {
  ply: number;
  seat: number;
  verdict: "best" | "equal" | "forced" | "mistake" | "unclear";
  cost: number;
  interval: number;
  is_exact: boolean;
  played: string;
  best: string;
  played_does: string;
  best_does: string;
  reasons: string[];
  hindsight: number | null;
}
export interface JudgementRequest {
  record: {
    [k: string]: unknown;
  };
  /**
   * @minItems 1
   * @maxItems 12
   */
  plies: number[];
  /**
   * a language that the server has catalogs for
   */
  language?: string;
  /**
   * @maxItems 12
   */
  found?: Evidence[];
}
/**
 * The same, and the decisions that are to be judged, a few at a time.
 */
export interface JudgementTaskRequest {
  record: {
    [k: string]: unknown;
  };
  /**
   * @minItems 1
   * @maxItems 12
   */
  plies: number[];
}
export interface Judgements {
  judged: Judged[];
}
export interface KeyLine {
  id: string;
  label: string;
  created_ms: number;
  expires_ms: number | null;
  expired: boolean;
}
export interface KeyLines {
  keys: KeyLine[];
}
/**
 * When the seat with the highest score at the end came to lead alone, and stayed.
 */
export interface Lead {
  ply: number;
  round: string;
  seat: number;
  changes: number;
}
/**
 * A position of a lesson as the learner sees it.
 */
export interface LessonPosition {
  ply: number;
  seat: number;
  steps: Step[];
  view: {
    [k: string]: unknown;
  };
  legal: string[];
  previews: {
    [k: string]: {
      [k: string]: unknown;
    }[];
  };
  wanted: string[];
}
/**
 * What the learner has done in a lesson, in order.
 */
export interface LessonRequest {
  /**
   * @maxItems 16
   */
  done?: string[];
}
export interface Lift {
  sanction: string;
}
/**
 * A link that works once, for ten minutes.
 */
export interface Link {
  code: string;
}
export interface Live {
  status: "ok";
}
/**
 * A new admin key. The secret is shown only now; of it only a hash is kept.
 */
export interface MadeKey {
  id: string;
  label: string;
  secret: string;
  expires_ms: number | null;
}
export interface MailCode {
  way: string;
  code: string;
}
export interface Me {
  id: string | null;
  name: string;
  safe?: boolean;
  due?: number;
}
/**
 * Take over what the guest of this browser had.
 */
export interface Merge {
  code: string;
}
export interface Message {
  type: "Message";
}
export interface Mute {
  muted: boolean;
}
/**
 * Decisions of a record of a game that has ended, to be practiced.
 */
export interface NewExercises {
  record: {
    [k: string]: unknown;
  };
  /**
   * @minItems 1
   * @maxItems 12
   */
  plies: number[];
}
export interface NewKey {
  label: string;
  for_seconds?: number | null;
}
/**
 * An address; a code is sent to it.
 */
export interface NewMail {
  address: string;
  /**
   * a language that the server has catalogs for
   */
  language?: string;
  /**
   * a time zone, such as Europe/Rome
   */
  zone?: string;
}
export interface NewName {
  name: string;
}
/**
 * What the browser gave for a push subscription of this device.
 */
export interface NewPush {
  endpoint: string;
  p256dh: string;
  auth: string;
  /**
   * a language that the server has catalogs for
   */
  language?: string;
  /**
   * a time zone, such as Europe/Rome
   */
  zone?: string;
}
/**
 * Without `for_seconds` and `until_ms` it holds until it is lifted.
 */
export interface NewSanction {
  what: "ban" | "mute";
  subject: string;
  /**
   * kept in the audit log for good, so write no names
   */
  reason: string;
  for_seconds?: number | null;
  until_ms?: number | null;
}
/**
 * A new webhook. The secret, with which its messages are signed, is shown only now.
 */
export interface NewSecret {
  way: Way;
  secret: string;
}
export interface NewTable {
  game: string;
  /**
   * @minItems 2
   * @maxItems 8
   */
  seats: SeatChoice[];
  options?: {
    [k: string]: string;
  };
  pace?: NoClock | Clock | Days;
  public?: boolean;
  /**
   * a person's own share of the fair chance
   */
  nonce?: string;
}
/**
 * From the first to the last day, both included.
 */
export interface NewVacation {
  first: string;
  last: string;
  /**
   * a time zone, such as Europe/Rome
   */
  zone?: string;
}
export interface NewWebhook {
  url: string;
  preset?: "discord" | "json" | "ntfy";
  /**
   * a language that the server has catalogs for
   */
  language?: string;
  /**
   * a time zone, such as Europe/Rome
   */
  zone?: string;
}
/**
 * Nothing more needs to be said.
 */
export interface NoDetails {}
/**
 * A notice in the outbox: to whom, about what, how far. Neither the address nor the words.
 */
export interface NoticeLine {
  id: string;
  kind: NoticeKind;
  way: WayKind;
  person: string;
  table: string;
  state: NoticeState;
  created_ms: number;
  due_ms: number;
  sent_ms: number | null;
  attempts: number;
  problem: string | null;
}
export interface NoticeLines {
  notices: NoticeLine[];
}
export interface OnePerson {
  person: string;
}
export interface OnePersonWithReason {
  person: string;
  /**
   * kept in the audit log for good, so write no names
   */
  reason: string;
}
export interface OneTable {
  table: string;
}
export interface OneTableWithReason {
  table: string;
  /**
   * kept in the audit log for good, so write no names
   */
  reason: string;
}
/**
 * For `navigator.credentials`, in the form that browsers parse.
 */
export interface PasskeyOptions {
  options: {
    [k: string]: unknown;
  };
}
export interface PersonDetails {
  id: string;
  name: string;
  created_ms: number;
  seen_ms: number;
  address: string | null;
  tables: TableLine[];
  sanctions: SanctionLine[];
}
export interface TableLine {
  id: string;
  game: string;
  status: TableStatus;
  public: boolean;
  seats: SeatLine[];
  created_ms: number;
  changed_ms: number;
  problem: string | null;
}
export interface SeatLine {
  kind: SeatKind;
  name: string | null;
  level: string | null;
}
export interface SanctionLine {
  id: string;
  what: "ban" | "mute";
  kind: "address" | "person";
  subject: string;
  reason: string;
  created_ms: number;
  until_ms: number | null;
  lifted_ms: number | null;
  in_force: boolean;
}
export interface PersonLine {
  id: string;
  name: string;
  created_ms: number;
  seen_ms: number;
  banned: boolean;
  muted: boolean;
}
export interface PersonLines {
  people: PersonLine[];
  more: boolean;
}
/**
 * The table after a log entry (or at the beginning, when `step` is null), as a seat saw it.
 */
export interface Position {
  ply: number;
  step: Step | null;
  view: {
    [k: string]: unknown;
  };
  draw?: Draw | null;
  drawing?: string;
}
export interface Positions {
  plies: number;
  positions: Position[];
}
/**
 * All that you practice, earliest due first.
 */
export interface Practice {
  exercises: Exercise[];
  due: number;
  now_ms: number;
  most: number;
}
/**
 * What each legal action would do, for everybody at the table.
 */
export interface Previews {
  ply: number;
  previews: {
    [k: string]: {
      [k: string]: unknown;
    }[];
  };
}
export interface ProcessLine {
  id: string;
  url: string | null;
  seen_ms: number;
  draining: boolean;
  answers: boolean;
}
export interface ProcessLines {
  processes: ProcessLine[];
}
/**
 * How many were removed: expired codes, abandoned tables, guests who never came back.
 */
export interface Pruned {
  codes: number;
  tables: number;
  people: number;
}
/**
 * A decision as its seat saw it, with all that a board needs to make it again.
 */
export interface Puzzle {
  ply: number;
  seat: number;
  played: string;
  view: {
    [k: string]: unknown;
  };
  legal: string[];
  previews: {
    [k: string]: {
      [k: string]: unknown;
    }[];
  };
  drawing?: string;
}
/**
 * A decision of such a record, to be made again.
 */
export interface PuzzleRequest {
  record: {
    [k: string]: unknown;
  };
  ply: number;
}
export interface ReadAudit {
  limit?: number;
  before_ms?: number | null;
}
/**
 * Whether people should be sent here, and what each check found.
 */
export interface Ready {
  status: "not-ready" | "ok";
  checks: {
    [k: string]: string;
  };
}
export interface Recover {
  phrase: string;
}
/**
 * A confirmed address; whether it is one is not told.
 */
export interface RecoverByMail {
  address: string;
  /**
   * a language that the server has catalogs for
   */
  language?: string;
}
/**
 * Shown once: the server keeps only a hash.
 */
export interface RecoveryPhrase {
  phrase: string;
}
/**
 * A hint for the seat that was to act when the log of a record had `ply` entries.
 */
export interface ReplayHintRequest {
  seat: number;
  /**
   * a language that the server has catalogs for
   */
  language?: string;
  /**
   * @maxItems 3
   */
  found?: HintFound[];
  tries?: number;
  record: {
    [k: string]: unknown;
  };
  ply: number;
}
/**
 * A record, and which part of it to show through whose eyes.
 */
export interface ReplayRequest {
  record: {
    [k: string]: unknown;
  };
  seat?: number | null;
  start?: number;
  count?: number;
  draws?: boolean;
}
/**
 * What that seat knew then, as a search for the visitor's own machine.
 */
export interface ReplayTaskRequest {
  seat: number;
  record: {
    [k: string]: unknown;
  };
  ply: number;
}
export interface Retried {
  status: TableStatus;
}
export interface RetriedNotices {
  count: number;
}
/**
 * One that failed, or all of them.
 */
export interface RetryNotices {
  notice?: string | null;
}
/**
 * A record of a game that has ended.
 */
export interface ReviewRequest {
  record: {
    [k: string]: unknown;
  };
}
export interface RevokeKey {
  key: string;
}
/**
 * What each seat gained in a round; below 0: lost.
 */
export interface RoundGains {
  round: string;
  ply: number;
  gains: number[];
}
export interface SanctionLines {
  sanctions: SanctionLine[];
}
/**
 * You are ready for the clock to start, or no longer.
 */
export interface SayReady {
  ready?: boolean;
}
/**
 * How the scores of a record came about, without what was taken back. Names of parts, rounds
 *     and tie-breaks are keys in the section `scoring` of the catalogs; behind a colon stands what
 *     the text calls `{of}`.
 */
export interface Scorebook {
  plies: number;
  is_over: boolean;
  scores: number[];
  placements: number[];
  parts: string[];
  shares: number[][];
  rounds: RoundGains[];
  curve: Standing[];
  swing: Swing | null;
  lead: Lead | null;
  tie_break: TieBreak | null;
}
/**
 * The scores when the log had `ply` entries.
 */
export interface Standing {
  ply: number;
  round: string;
  scores: number[];
}
/**
 * The last entry of those that moved a seat furthest against the best of the others.
 */
export interface Swing {
  ply: number;
  round: string;
  seat: number;
  before: number;
  after: number;
  equals: number;
}
/**
 * What told the winners from other seats with the same score.
 */
export interface TieBreak {
  what: string;
  seats: number[];
  values: number[];
}
/**
 * A record whose scores are to be explained.
 */
export interface ScorebookRequest {
  record: {
    [k: string]: unknown;
  };
}
export interface ServerStatus {
  version: string;
  process: string;
  processes: number;
  draining: string[];
  announcement: Announcement | null;
  tables: {
    [k: string]: number;
  };
  in_memory: number;
  sockets: number;
  waiting: number;
  preparing: string[];
  troubles: string[];
  sanctions: number;
  disk_free: number | null;
  notices: {
    [k: string]: number;
  };
}
/**
 * Sign out this device, every other device of yours, or all of them.
 */
export interface SignOut {
  others?: boolean;
  everywhere?: boolean;
}
export interface SignedIn {
  id: string;
  name: string;
  guest: GuestLeft | null;
}
export interface Silence {
  silent: boolean;
}
/**
 * What comes in: a field that we do not know is an error.
 */
export interface Strict {}
/**
 * Everything about a table but what its players hide from each other and say to each other.
 */
export interface TableDetails {
  id: string;
  game: string;
  rules_version: number;
  status: TableStatus;
  public: boolean;
  options: {
    [k: string]: string;
  };
  pace: NoClock | Clock | Days;
  host: string | null;
  seats: TableSeat[];
  ply: number | null;
  actors: number[];
  watching: number;
  events: number;
  chat_lines: number;
  result: Result | null;
  commitment: string;
  created_ms: number;
  changed_ms: number;
  previous_table: string | null;
  next_table: string | null;
  problem: string | null;
}
export interface TableSeat {
  seat: number;
  kind: SeatKind;
  name: string | null;
  person: string | null;
  level: string | null;
  stand_in: string | null;
  connected: boolean;
  resigned: boolean;
  out_of_time: boolean;
}
export interface TableLines {
  tables: TableLine[];
  more: boolean;
}
export interface Tables {
  tables: TableInfo[];
}
export interface UsePasskey {
  credential: {
    [k: string]: unknown;
  };
}
/**
 * Whether every outcome of chance that was checked follows from the seed that was promised.
 */
export interface Verified {
  fair: boolean;
  draws: number;
  message: string;
  unchecked?: number;
}
