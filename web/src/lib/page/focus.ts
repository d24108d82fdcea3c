/** Where the keys of this person go. */

/** Whatever had the focus is gone: the browser has let it fall to the body. */
export const focusIsLost = (): boolean => document.activeElement === document.body;

/** Nobody has gone anywhere on this page yet: the focus is where a new page puts it. */
export const focusIsFree = (): boolean => focusIsLost() || document.activeElement?.id === "content";

/** Keys that are being typed into a field mean letters, not commands. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input:not([type=radio], [type=checkbox]), textarea, select") !== null;
