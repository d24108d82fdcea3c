/** The record file that is open on this page, for replay and result alike; another load of the page forgets it. */
import type { GameRecord } from "./replay.svelte";

class Opened {
  record = $state.raw<GameRecord | null>(null);
}
export const opened = new Opened();
