/** Notifications from a page that is open but not looked at, for people who asked for them. */
import { isHidden } from "$lib/net/attention";
import { at } from "$lib/net/base";
import { isPushed } from "./push";
import { preferences } from "./preferences.svelte";

export const canNotify = (): boolean => "Notification" in window && window.isSecureContext;

export async function askToNotify(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === "granted";
}

/** A turn, unless the server tells this device of it as well: it would be told twice. */
export function notifyTurn(title: string, body: string, tag: string): void {
  if (!isPushed()) notifyAway(title, body, tag);
}

/** Shown only to a person who does not look at the page. */
export function notifyAway(title: string, body: string, tag: string): void {
  if (!preferences.notify || !canNotify() || Notification.permission !== "granted" || !isHidden()) return;
  const note = new Notification(title, { body, tag, icon: at("/lantern.svg") });
  note.onclick = () => {
    focus();
    note.close();
  };
}
