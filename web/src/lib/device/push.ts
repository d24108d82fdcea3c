/** Push messages to this device: the browser's own subscription, told to the server. */
import { api } from "$lib/net/api";
import { currentLanguage } from "$lib/text/i18n";
import { session } from "$lib/person/session.svelte";
import type { Notifications } from "$lib/wire";

/** Whether this browser can get push messages while no page is open. */
export const canPush = (): boolean =>
  window.isSecureContext && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

export const isDenied = (): boolean => canPush() && Notification.permission === "denied";

export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

async function subscription(): Promise<PushSubscription | null> {
  const worker = canPush() ? await navigator.serviceWorker.getRegistration() : undefined;
  return (await worker?.pushManager.getSubscription()) ?? null;
}

/** The address that the server was told, as long as the person wants messages here. Browsers give out new ones now and then. */
const KEY = "lampion-push";
export const isPushed = (): boolean => localStorage.getItem(KEY) !== null;

/** The way that leads to this device, if there is one. */
export async function ownWay(found: Notifications): Promise<string | null> {
  const own = found.ways.find((way) => way.here);
  return own && (await subscription()) ? own.id : null;
}

/** Asks the person for permission, then the browser for a subscription. False if one of them says no. */
export async function pushHere(key: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  await (await subscription())?.unsubscribe(); // it may belong to another key
  await tell(key);
  return true;
}

async function tell(key: string): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const made =
    (await pushManager.getSubscription()) ??
    (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) }));
  const { keys = {} } = made.toJSON();
  const about = { language: currentLanguage(), zone: timeZone() };
  await api.addPush({ endpoint: made.endpoint, p256dh: keys.p256dh ?? "", auth: keys.auth ?? "", ...about });
  localStorage.setItem(KEY, made.endpoint);
}

/**
 * At every start, for a device that wants messages: a browser that has lost or renewed its subscription tells the server. A way that
 * was removed on another device is not put back.
 */
export async function renewPush(): Promise<void> {
  if (!isPushed() || !canPush() || Notification.permission !== "granted") return;
  if (!(await session.who()).id) return pushNoMore(); // the person of this device is gone
  const found = await api.notifications();
  const isSame = (await subscription())?.endpoint === localStorage.getItem(KEY);
  if (!isSame && found.push_key) await tell(found.push_key);
  else if (isSame && !found.ways.some((way) => way.here)) await pushNoMore();
}

/** This browser has become another person, who gets the messages from now on. */
export async function movePush(): Promise<void> {
  if (!isPushed() || !canPush() || Notification.permission !== "granted") return;
  const { push_key } = await api.notifications();
  if (push_key) await tell(push_key);
}

export async function pushNoMore(): Promise<void> {
  localStorage.removeItem(KEY);
  await (await subscription())?.unsubscribe();
}

/** base64url, as the server writes keys, to bytes, as browsers take them. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}
