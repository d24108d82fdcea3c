/** Legal actions as a list that can be searched, and as places of a drawing. */

export interface Choice {
  action: string;
  /** What it would do, in sentences; empty until the server has told. */
  effect: string;
}

/** The actions that a place of the drawing stands for: those that begin with its text, or else those that contain it. */
export function actionsAt(place: string, legal: readonly string[]): string[] {
  if (legal.includes(place)) return [place];
  const beginning = legal.filter((action) => action.startsWith(place));
  return beginning.length ? beginning : legal.filter((action) => action.includes(place));
}

/** Those in which every word stands, in the action or in what it does. */
export function search(choices: readonly Choice[], words: string): Choice[] {
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return choices.filter(({ action, effect }) => {
    const text = `${action} ${effect}`.toLocaleLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
