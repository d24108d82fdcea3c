/** Finds a game's board by its folder and loads it, with its texts, when somebody sits down. */
import type { AnyBoard } from "$lib/board";
import { loadTexts } from "$lib/i18n";

const boards = import.meta.glob<{ default: AnyBoard }>("./*/Board.svelte");

export const hasBoard = (game: string): boolean => `./${game}/Board.svelte` in boards;

export async function loadBoard(game: string): Promise<AnyBoard> {
  const load = boards[`./${game}/Board.svelte`];
  if (!load) throw new Error(`there is no board for ${game}`);
  const [module] = await Promise.all([load(), loadTexts(`${game}/board`)]);
  return module.default;
}
