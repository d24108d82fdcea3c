/** Finds a game's board by its folder and loads it, with its texts, when a table opens. Without one, the generic table serves. */
import type { AnyBoard } from "$lib/board/board";
import { loadTexts } from "$lib/text/i18n";

const boards = import.meta.glob<{ default: AnyBoard }>("./*/Board.svelte");
const generic = (): Promise<{ default: AnyBoard }> => import("../generic/Board.svelte");

export const hasBoard = (game: string): boolean => `./${game}/Board.svelte` in boards;

export async function loadBoard(game: string): Promise<AnyBoard> {
  const load = boards[`./${game}/Board.svelte`] ?? generic;
  const [module] = await Promise.all([load(), loadTexts(`${game}/board`)]);
  return module.default;
}
