/** Legal actions as a list that can be searched, and as places of a drawing. */

export interface Choice {
  action: string;
  /** What it would do, in sentences; empty until the server has told. */
  effect: string;
}

/** The actions that a place of the drawing stands for: those that begin with its text, or else those that contain it. */
export function actionsAt(place: string, legal: readonly string[]): string[] {
  if (!place) return [];
  if (legal.includes(place)) return [place];
  const beginning = legal.filter((action) => action.startsWith(place) && stands(place, action, 0));
  return beginning.length ? beginning : legal.filter((action) => contains(action, place));
}

function contains(action: string, place: string): boolean {
  for (let at = action.indexOf(place); at >= 0; at = action.indexOf(place, at + 1)) {
    if (stands(place, action, at)) return true;
  }
  return false;
}

/** Whether a text stands by itself in an action: `a1` is no part of `a10`. */
function stands(place: string, action: string, at: number): boolean {
  const end = at + place.length;
  return !isOneToken(action, at) && !isOneToken(action, end);
}

/** Whether a number or a word goes on at this point. */
function isOneToken(action: string, at: number): boolean {
  const pair = action.slice(Math.max(at - 1, 0), at + 1);
  return /^(\d\d|\p{L}\p{L})$/u.test(pair);
}

/** Those in which every word stands, in the action or in what it does. */
export function search(choices: readonly Choice[], words: string): Choice[] {
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return choices.filter(({ action, effect }) => {
    const text = `${action} ${effect}`.toLocaleLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
