/** When several updates come at once, each is shown long enough to be followed; a long queue is shortened, so nobody waits for a film. */
const MAX_QUEUE = 4;

export function showFor(events: number, queued: number, reduced: boolean): number {
  if (queued === 0 || queued > MAX_QUEUE) return 0;
  if (reduced) return 120;
  return Math.min(900, 200 + 110 * events);
}
