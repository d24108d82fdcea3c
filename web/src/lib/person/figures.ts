/** Your own figures: the server reads old games a few at a time, and may ask for a pause in between. */
import { Refusal } from "$lib/net/api";
import type { Profile } from "$lib/wire";

type Wait = (ms: number) => Promise<void>;
const wait: Wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Shows what is known after each answer, until everything is counted or nobody looks any more. */
export async function learnFigures(
  ask: () => Promise<Profile>,
  show: (found: Profile) => void,
  isWanted: () => boolean,
  pause: Wait = wait,
): Promise<void> {
  while (isWanted()) {
    try {
      const found = await ask();
      show(found);
      if (!found.pending) return;
    } catch (error) {
      const seconds = error instanceof Refusal ? error.problem.retry_after : undefined;
      if (!seconds) throw error;
      await pause(1_000 * seconds);
    }
  }
}
