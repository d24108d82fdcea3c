/** The server's HTTP interface, typed by the wire. */
import type { Task } from "../../engine/engine";
import type { JudgementTasks } from "../../engine/judging";
import { at } from "./base";
import { inviteQuery } from "./invitations";
import { isHidden } from "./attention";
import type {
  Access, Attempt, AttemptRequest, Catalogue, ChangeExercise, ChangeSeat, Command, Continuation, Course, Exercise, ExerciseAnswer, ExerciseAnswered, ExercisePosition, Feed, Friends, GameReview, Hint, HintRequest, History, Join, JudgementRequest, Judgements, LessonPosition,
  Link, MailCode, Me, NewExercises, NewMail, NewPush, NewSecret, NewTable, NewVacation, NewWebhook, Notifications, PasskeyOptions,
  Positions, Practice, Previews, Problem, Profile, Puzzle, PuzzleRequest, RecoveryPhrase, ReplayHintRequest, ReplayRequest, ReplayTaskRequest,
  Scorebook, SeatNumber, SignedIn, SignOut, TableInfo, Tables, Way, Wishes,
} from "$lib/wire"; // prettier-ignore

/** A request that the server refused, or that never reached it (code "offline"). */
export class Refusal extends Error {
  constructor(
    readonly problem: Problem,
    readonly status: number,
  ) {
    super(problem.message);
  }
}

export async function request<T>(method: string, path: string, body?: unknown, key?: string): Promise<T> {
  const init: RequestInit = { method, headers: { Accept: "application/json" }, credentials: "same-origin" };
  if (key) init.headers = { ...init.headers, Authorization: `Bearer ${key}` };
  if (method !== "GET") {
    init.headers = { ...init.headers, "Content-Type": "application/json" };
    init.body = JSON.stringify(body ?? {});
  }
  let response: Response;
  try {
    response = await fetch(at(`/api${path}`), init);
  } catch {
    throw new Refusal({ type: "problem", code: "offline", message: "the server cannot be reached" }, 0);
  }
  if (!response.ok) throw new Refusal(await problemOf(response), response.status);
  const isText = response.headers.get("Content-Type")?.startsWith("text/");
  return (isText ? await response.text() : await response.json()) as T;
}

async function problemOf(response: Response): Promise<Problem> {
  try {
    const body = (await response.json()) as Partial<Problem>;
    if (body.code && body.message) return { ...body, type: "problem", code: body.code, message: body.message };
  } catch {
    // a proxy answered in its own words
  }
  return { type: "problem", code: `http-${response.status}`, message: response.statusText };
}

const get = <T>(path: string): Promise<T> => request("GET", path);
const post = <T>(path: string, body?: unknown): Promise<T> => request("POST", path, body);
const exercise = (id: string): string => `/me/practice/${encodeURIComponent(id)}`;
const table = (id: string, rest = ""): string => `/tables/${encodeURIComponent(id)}${rest}`;
/** The same with the invitation, if this page knows it: what looks at a private table is answered more fully. */
function invited(id: string, rest = "", ...query: string[]): string {
  const parts = [...query, inviteQuery(id)].filter(Boolean);
  return table(id, rest) + (parts.length ? `?${parts.join("&")}` : "");
}

export type GameMessages = Record<string, Record<string, string>>;
export interface ServerMessages {
  shared: GameMessages;
  games: Record<string, GameMessages>;
}

export const api = {
  catalogue: () => get<Catalogue>("/catalogue"),
  me: () => get<Me>("/me"),
  rename: (name: string) => request<Me>("PATCH", "/me", { name }),
  forgetMe: () => request<Record<string, never>>("DELETE", "/me"),
  makeLink: () => post<Link>("/me/link"),
  signOut: (which: SignOut) => post<Record<string, never>>("/me/sign-out", which),
  access: () => get<Access>("/me/access"),
  signOutDevice: (id: string) => request<Access>("DELETE", `/me/devices/${encodeURIComponent(id)}`),
  newPhrase: () => post<RecoveryPhrase>("/me/recovery"),
  keepPhrase: () => post<Access>("/me/recovery/kept"),
  /** A link to an address that I have confirmed; nobody is told whether it is one. */
  recoverByMail: (address: string, language: string) =>
    post<Record<string, never>>("/recover/mail", { address, language }),
  recover: (phrase: string) => post<SignedIn>("/recover", { phrase }),
  passkeyToAdd: () => post<PasskeyOptions>("/me/passkeys/options"),
  addPasskey: (credential: Record<string, unknown>) => post<Access>("/me/passkeys", { credential }),
  dropPasskey: (id: string) => request<Access>("DELETE", `/me/passkeys/${encodeURIComponent(id)}`),
  passkeyToUse: () => post<PasskeyOptions>("/passkeys/options"),
  usePasskey: (credential: Record<string, unknown>) => post<SignedIn>("/passkeys", { credential }),
  claim: (code: string) => post<SignedIn>("/claim", { code }),
  /** Takes over what the guest of this browser had. */
  merge: (code: string) => post<Me>("/me/merge", { code }),
  profile: () => get<Profile>("/me/profile"),
  forgetHistory: () => request<Record<string, number>>("DELETE", "/me/history"),
  friends: () => get<Friends>("/me/friends"),
  block: (friend: string) => request<Record<string, never>>("DELETE", `/me/friends/${encodeURIComponent(friend)}`),
  myTables: () => get<Tables>("/me/tables"),
  /** A page of my games that have ended: of one game or all, behind the `next` of an earlier page. */
  history: (game: string, before: string) =>
    get<History>(`/me/history?${new URLSearchParams({ game, before }).toString()}`),
  /** The decisions that I practice; the server says what is due. */
  practice: () => get<Practice>("/me/practice"),
  keepExercises: (wanted: NewExercises) => post<Practice>("/me/practice", wanted),
  exercise: (id: string) => get<ExercisePosition>(exercise(id)),
  answerExercise: (id: string, answer: ExerciseAnswer) => post<ExerciseAnswered>(exercise(id), answer),
  changeExercise: (id: string, change: ChangeExercise) => request<Exercise>("PATCH", exercise(id), change),
  dropExercise: (id: string) => request<Record<string, never>>("DELETE", exercise(id)),
  publicTables: () => get<Tables>("/tables"),
  newTable: (wanted: NewTable) => post<TableInfo>("/tables", wanted),
  /** A table that goes on from a position of a record. */
  playOn: (wanted: Continuation) => post<TableInfo>("/replay/continue", wanted),
  table: (id: string) => get<TableInfo>(invited(id)),
  join: (id: string, join: Join) => post<TableInfo>(table(id, "/join"), join),
  start: (id: string) => post<TableInfo>(table(id, "/start")),
  changeSeat: (id: string, seat: SeatNumber, change: ChangeSeat) =>
    request<TableInfo>("PUT", table(id, `/seats/${seat}`), change),
  /** Leaves an open table, with a seat of mine; or removes a player from a table that I host. */
  freeSeat: (id: string, seat: SeatNumber) => request<TableInfo>("DELETE", table(id, `/seats/${seat}`)),
  cancel: (id: string) => request<TableInfo>("DELETE", table(id)),
  ready: (id: string, ready: boolean) => post<TableInfo>(table(id, "/ready"), { ready }),
  /** Takes a table off my list for good. */
  dismiss: (id: string) => request<Record<string, never>>("DELETE", `/me/tables/${encodeURIComponent(id)}`),
  notifications: () => get<Notifications>("/me/notifications"),
  wish: (wishes: Wishes) => request<Notifications>("PUT", "/me/notifications", wishes),
  addPush: (wanted: NewPush) => post<Way>("/me/notifications/push", wanted),
  addMail: (wanted: NewMail) => post<Way>("/me/notifications/mail", wanted),
  confirmMail: (given: MailCode) => post<Way>("/me/notifications/mail/confirm", given),
  addWebhook: (wanted: NewWebhook) => post<NewSecret>("/me/notifications/webhook", wanted),
  dropWay: (way: string) => request<Notifications>("DELETE", `/me/notifications/ways/${way}`),
  silenceWay: (way: string, silent: boolean) =>
    request<Notifications>("PUT", `/me/notifications/ways/${way}/silent`, { silent }),
  testWay: (way: string) => post<Record<string, never>>(`/me/notifications/ways/${way}/test`),
  addVacation: (wanted: NewVacation) => post<Notifications>("/me/vacations", wanted),
  dropVacation: (from: number) => request<Notifications>("DELETE", `/me/vacations/${from}`),
  mute: (id: string, muted: boolean) =>
    request<Record<string, never>>("PUT", `/me/tables/${encodeURIComponent(id)}/mute`, { muted }),
  rematch: (id: string) => post<TableInfo>(table(id, "/rematch")),
  previews: (id: string, seat: SeatNumber) => get<Previews>(table(id, `/previews?seat=${seat}`)),
  /** What a seat knows, as a search for this machine. */
  hintTask: (id: string, seat: SeatNumber) => post<Task>(table(id, "/hint/task"), { seat }),
  hint: (id: string, wanted: HintRequest) => post<Hint>(table(id, "/hint"), wanted),
  /** The game from a ply on, and the chat messages after a number. */
  feed: (id: string, since: number, said: number) =>
    get<Feed>(invited(id, "/feed", `since=${since}`, `said=${said}`, isHidden() ? "hidden=1" : "")),
  command: (id: string, command: Command, since: number) =>
    post<Feed>(invited(id, "/commands", `since=${since}`), command),
  chat: (id: string, since = 0) => get<Feed>(invited(id, "/chat", `since=${since}`)),
  record: (id: string) => get<Record<string, unknown>>(invited(id, "/record")),
  replay: (wanted: ReplayRequest) => post<Positions>("/replay", wanted),
  /** How the scores of a record came about. */
  scorebook: (record: Record<string, unknown>) => post<Scorebook>("/replay/scorebook", { record }),
  /** What was luck in a record and what was play; its decisions are judged a few at a time. */
  review: (record: Record<string, unknown>) => post<GameReview>("/replay/review", { record }),
  /** The searches behind judgments, for this machine. */
  judgementTasks: (record: Record<string, unknown>, plies: number[]) =>
    post<JudgementTasks>("/replay/judgements/tasks", { record, plies }),
  judgements: (wanted: JudgementRequest) => post<Judgements>("/replay/judgements", wanted),
  /** A decision of a record as its seat saw it, and how good an action is that a reader tries there. */
  puzzle: (wanted: PuzzleRequest) => post<Puzzle>("/replay/puzzle", wanted),
  attempt: (wanted: AttemptRequest) => post<Attempt>("/replay/puzzle/attempt", wanted),
  /** What a seat knew in a position of a record, as a search for this machine. */
  replayTask: (wanted: ReplayTaskRequest) => post<Task>("/replay/hint/task", wanted),
  replayHint: (wanted: ReplayHintRequest) => post<Hint>("/replay/hint", wanted),
  course: (game: string) => get<Course>(`/lessons/${game}`),
  /** Where a lesson stands after what was done in it. */
  lesson: (game: string, lesson: string, done: string[]) =>
    post<LessonPosition>(`/lessons/${game}/${lesson}`, { done }),
  rulebook: (game: string, language: string) => get<string>(`/rulebook/${game}/${language}`),
  messages: (language: string) => get<ServerMessages>(`/messages/${language}`),
};
