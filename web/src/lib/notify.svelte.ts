/** Tells people who look elsewhere that it is their turn: in the title of the page, and by the browser if they asked for it. */
import { at } from "./base";
import { preferences } from "./preferences.svelte";

export const canNotify = (): boolean => "Notification" in window && window.isSecureContext;

export async function askToNotify(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === "granted";
}

/** Shown once per turn, and only to somebody who does not look at the page. */
export function notifyTurn(title: string, body: string, tag: string): void {
  if (
    !preferences.notify ||
    !canNotify() ||
    Notification.permission !== "granted" ||
    document.visibilityState === "visible"
  )
    return;
  const note = new Notification(title, { body, tag, icon: at("/lantern.svg") });
  note.onclick = () => {
    focus();
    note.close();
  };
}
