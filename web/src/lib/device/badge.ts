/** The number on the icon of the installed app: how many tables wait for this person. */
const waiting = new Set<string>();

/** All tables that wait. */
export function setWaiting(tables: readonly string[]): void {
  waiting.clear();
  for (const table of tables) waiting.add(table);
  show();
}

/** Whether one of them waits, as its own page knows first. */
export function noteWaiting(table: string, waits: boolean): void {
  if (waiting.has(table) === waits) return;
  if (waits) waiting.add(table);
  else waiting.delete(table);
  show();
}

function show(): void {
  if (!("setAppBadge" in navigator)) return;
  const shown = waiting.size ? navigator.setAppBadge(waiting.size) : navigator.clearAppBadge();
  shown.catch(() => undefined); // only an installed app has an icon to put it on
}
