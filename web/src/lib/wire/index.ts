/** The types of the wire under one roof; they are made from the server's own classes (`npm run types`). */
import type { Incoming } from "./types";

export type * from "./types";

/** What a player does at a table; the rest of what goes out only keeps a line alive. */
export type Command = Exclude<Incoming, { do: "sync" | "ping" | "look" }>;

export type SeatNumber = number;
