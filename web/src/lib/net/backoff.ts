/** How long to wait before the next try: doubling, capped, with full jitter so that a restarted server is not met by everybody at once. */
export function backoff(attempt: number, random: () => number = Math.random): number {
  const ceiling = Math.min(15_000, 500 * 2 ** attempt);
  return 200 + random() * ceiling;
}
