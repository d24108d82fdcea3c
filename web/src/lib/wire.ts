/** The types of the wire under one roof; they are made from the server's own classes (`npm run types`). */
export type * from "./types/wire";

export type SeatNumber = number;
