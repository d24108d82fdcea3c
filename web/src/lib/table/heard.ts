/** Up to which line of chat this tab has read each table: kept for as long as the tab lives, so that a reload knows it. */
const key = (table: string): string => `lampion.heard.${table}`;

export function lastHeard(table: string): number {
  try {
    return Number(sessionStorage.getItem(key(table))) || 0;
  } catch {
    return 0; // storage is switched off
  }
}

export function keepHeard(table: string, number: number): void {
  try {
    sessionStorage.setItem(key(table), String(number));
  } catch {
    // without storage, what was read counts as new after a reload
  }
}
