/** What is kept until the tab is closed, and no longer. */
export function recall(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? "";
  } catch {
    return ""; // storage is switched off
  }
}

/** An empty text removes it. */
export function store(name: string, value: string): void {
  try {
    if (value) sessionStorage.setItem(name, value);
    else sessionStorage.removeItem(name);
  } catch {
    // without storage it lasts until the page is loaded again
  }
}
