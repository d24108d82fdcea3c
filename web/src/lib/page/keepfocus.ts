import { focusIsFree } from "./focus";

/** Where the keys of a board start: the element that it names, or all of it. */
export const homeOf = (board: Element | null): HTMLElement | null =>
  board?.querySelector<HTMLElement>("[data-home]") ?? (board as HTMLElement | null);

/**
 * On a new page the focus goes to the board. A button that goes away, or can no longer be pressed, takes the focus with it: it stays
 * at the board instead.
 */
export function keepFocus(game: HTMLElement): () => void {
  let focused: HTMLElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const note = (event: FocusEvent): void => void (focused = event.target as HTMLElement);
  let hasArrived = false;
  const look = (): void => {
    const home = homeOf(game.querySelector(".board:has([data-home])"));
    if (home && !hasArrived && focusIsFree()) home.focus({ preventScroll: true });
    hasArrived ||= home !== null;
    const isLost = focused && (!focused.isConnected || focused.matches(":disabled"));
    if (!isLost || (document.activeElement !== document.body && document.activeElement !== focused)) return;
    homeOf(game.querySelector(".board"))?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(look); // a board that knows a better place for it comes first
  });
  game.addEventListener("focusin", note);
  observer.observe(game, { childList: true, subtree: true, attributeFilter: ["disabled"] });
  return () => {
    clearTimeout(timer);
    game.removeEventListener("focusin", note);
    observer.disconnect();
  };
}
