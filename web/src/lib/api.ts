/** The server's HTTP interface, typed by the wire. */
import type { Task } from "../engine/engine";
import { at } from "./base";
import { inviteQuery } from "./invitations";
import type {
  Catalogue, ChangeSeat, Command, Feed, Hint, HintRequest, Join, Link, Me, NewTable, Positions, Previews, Problem, ReplayHintRequest,
  ReplayRequest, ReplayTaskRequest, SeatNumber, TableInfo, Tables, Verified,
} from "./wire"; // prettier-ignore

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
  signOutOthers: () => post<Record<string, never>>("/me/sign-out", { others: true }),
  claim: (code: string) => post<Me>("/claim", { code }),
  myTables: () => get<Tables>("/me/tables"),
  publicTables: () => get<Tables>("/tables"),
  newTable: (wanted: NewTable) => post<TableInfo>("/tables", wanted),
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
  rematch: (id: string) => post<TableInfo>(table(id, "/rematch")),
  previews: (id: string, seat: SeatNumber) => get<Previews>(table(id, `/previews?seat=${seat}`)),
  /** What a seat knows, as a search for this machine. */
  hintTask: (id: string, seat: SeatNumber) => post<Task>(table(id, "/hint/task"), { seat }),
  hint: (id: string, wanted: HintRequest) => post<Hint>(table(id, "/hint"), wanted),
  /** The game from a ply on, and what was said behind a number. */
  feed: (id: string, since: number, said: number) => get<Feed>(invited(id, "/feed", `since=${since}`, `said=${said}`)),
  command: (id: string, command: Command, since: number) =>
    post<Feed>(invited(id, "/commands", `since=${since}`), command),
  chat: (id: string, since = 0) => get<Feed>(invited(id, "/chat", `since=${since}`)),
  record: (id: string) => get<Record<string, unknown>>(invited(id, "/record")),
  replay: (wanted: ReplayRequest) => post<Positions>("/replay", wanted),
  /** What a seat knew in a position of a record, as a search for this machine. */
  replayTask: (wanted: ReplayTaskRequest) => post<Task>("/replay/hint/task", wanted),
  replayHint: (wanted: ReplayHintRequest) => post<Hint>("/replay/hint", wanted),
  verify: (record: Record<string, unknown>) => post<Verified>("/verify", { record }),
  rulebook: (game: string, language: string) => get<string>(`/rulebook/${game}/${language}`),
  messages: (language: string) => get<ServerMessages>(`/messages/${language}`),
};
