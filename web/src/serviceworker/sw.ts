/**
 * The service worker: what the app can do without a line, files that other apps share with it, and notifications.
 *
 *   pages                 from the server; without it the page that was kept, which says what works now
 *   assets/               never change under their name, so what is kept is used at once
 *   words of the games    from the server; without it as they were last time
 *   records, positions    the same, for replays that were opened here before; the oldest go when there are too many
 *   everything else       is none of its business: commands and private lists are never kept
 *
 * Pages always come from the server if it answers, so an old client never meets a new server because of what is kept here. That is
 * why a new version may take over at once: nothing that it keeps can be wrong, only missing.
 */
export {}; // a module: `self` below is this file's own
declare const self: ServiceWorkerGlobalScope;
/** Written by the build: the files of the shell, and a name for this build. */
declare const __SHELL__: string[];
declare const __BUILD__: string;

const SCOPE = new URL(self.registration.scope);
/** Other apps of the same site have caches, too. */
const PREFIX = `lampion ${SCOPE.pathname} `;
const SHELL = `${PREFIX}shell ${__BUILD__}`;
const WORDS = `${PREFIX}words`;
const REPLAYS = `${PREFIX}replays`;
const SHARED = `${PREFIX}shared`;
/** The ids of the messages that came last: one that comes again makes no second sound. */
const NOTICES = `${PREFIX}notices`;
const KEPT = new Set([SHELL, WORDS, REPLAYS, SHARED, NOTICES]);
const MOST_NOTICES = 50;
const MOST_REPLAYS = 400;
const LARGEST_RECORD = 512 * 1024;
const AWAY = new Set([502, 503, 504]);

const address = (path: string): string => new URL(path, SCOPE).href;
/** The path below our folder; null for what is not ours. */
const within = (url: URL): string | null =>
  url.origin === SCOPE.origin && url.pathname.startsWith(SCOPE.pathname)
    ? url.pathname.slice(SCOPE.pathname.length)
    : null;
const isAsset = (path: string): boolean => path.startsWith("assets/") || path.startsWith("icons/");
const isOfWords = (path: string): boolean => /^api\/(catalogue$|messages\/|rulebook\/)/.test(path);
const isRecord = (path: string): boolean => /^api\/tables\/[\w-]+\/record$/.test(path);

self.addEventListener("install", (event) => {
  event.waitUntil(install());
});
self.addEventListener("activate", (event) => {
  event.waitUntil(activate());
});

async function install(): Promise<void> {
  const cache = await caches.open(SHELL);
  await cache.add(new Request(SCOPE.href, { cache: "reload" }));
  await cache.addAll(__SHELL__.map(address));
  await self.skipWaiting();
}

/** The build before this one stays: pages that are open may still load parts of it, which the server no longer has. */
async function activate(): Promise<void> {
  const before = (await shells()).at(-1);
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && !KEPT.has(name) && name !== before) await caches.delete(name);
  }
  await self.clients.claim();
}

/** The shells of other builds, the newest last. */
async function shells(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(`${PREFIX}shell `) && name !== SHELL);
}

// --- without a line ------------------------------------------------------------------------------

self.addEventListener("fetch", (event) => {
  const answer = answerTo(event);
  if (answer) event.respondWith(answer);
});

function answerTo(event: FetchEvent): Promise<Response> | null {
  const { request } = event;
  const path = within(new URL(request.url));
  if (path === null) return null;
  if (request.method === "POST") {
    if (path === "share") return share(request);
    return path === "api/replay" ? positions(request) : null;
  }
  if (request.method !== "GET") return null;
  if (request.mode === "navigate") return path.startsWith("api/") ? null : page(request);
  if (isAsset(path)) return asset(request);
  if (isOfWords(path)) return fresh(request, WORDS);
  return isRecord(path) ? fresh(request, REPLAYS, recordKey(path)) : null;
}

async function page(request: Request): Promise<Response> {
  try {
    const answer = await fetch(request);
    if (!AWAY.has(answer.status)) return answer;
  } catch {
    // there is no line
  }
  return (await kept(SHELL, SCOPE.href)) ?? Response.error();
}

async function asset(request: Request): Promise<Response> {
  for (const name of [SHELL, ...(await shells())]) {
    const known = await kept(name, request);
    if (known) return known;
  }
  const answer = await fetch(request);
  await keep(SHELL, request, answer);
  return answer;
}

/** The server's answer, or the last one that it gave. */
async function fresh(request: Request, cache: string, key: RequestInfo = request): Promise<Response> {
  try {
    const answer = await fetch(request);
    await keep(cache, key, answer);
    if (!AWAY.has(answer.status)) return answer;
    return (await kept(cache, key)) ?? answer;
  } catch {
    return (await kept(cache, key)) ?? Response.error();
  }
}

/** An invitation is no part of what names a record. */
const recordKey = (path: string): string => address(path);

/** The positions of a record follow from the request alone: what was asked, and answered, once holds for ever. */
async function positions(request: Request): Promise<Response> {
  const body = await request.clone().arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  const name = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return fresh(request, REPLAYS, address(`api/replay?${name}`));
}

async function kept(name: string, key: RequestInfo): Promise<Response | undefined> {
  return (await caches.open(name)).match(key, { ignoreVary: true });
}

async function keep(name: string, key: RequestInfo, answer: Response): Promise<void> {
  if (answer.status !== 200) return;
  const copy = answer.clone();
  try {
    const cache = await caches.open(name);
    await cache.put(key, copy);
    if (name === REPLAYS) await prune(cache, MOST_REPLAYS);
  } catch {
    // the browser has no room left: it works without
  }
}

async function prune(cache: Cache, most: number): Promise<void> {
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map((key) => cache.delete(key)));
}

/** What a page loaded before this worker watched over it. */
self.addEventListener("message", (event) => {
  const { keep: wanted } = event.data as { keep?: string[] };
  if (wanted) event.waitUntil(keepAll(wanted));
});

async function keepAll(urls: string[]): Promise<void> {
  for (const url of urls) {
    const path = within(new URL(url));
    if (path === null) continue;
    const cache = isAsset(path) ? SHELL : isOfWords(path) ? WORDS : null;
    if (cache && !(await kept(cache, url))) {
      await fetch(url).then(
        (answer) => keep(cache, url, answer),
        () => undefined,
      );
    }
  }
}

// --- files from other apps -----------------------------------------------------------------------

async function share(request: Request): Promise<Response> {
  const form = await request.formData();
  const file = form.get("record");
  if (file instanceof File && file.size <= LARGEST_RECORD) {
    const cache = await caches.open(SHARED);
    await cache.put(address("shared-record"), new Response(await file.text()));
  }
  return Response.redirect(address("replay?shared=1"), 303);
}

// --- notifications -------------------------------------------------------------------------------

/** The declarative form of Web Push, for browsers that leave it to us. */
interface Message {
  web_push: 8030;
  notification: {
    title: string;
    body?: string;
    navigate: string;
    tag?: string;
    lang?: string;
    dir?: NotificationDirection;
    silent?: boolean;
    data?: { id?: string };
  };
  app_badge?: number | string;
}

self.addEventListener("push", (event) => {
  event.waitUntil(pushed(event.data));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification));
});

async function pushed(data: PushMessageData | null): Promise<void> {
  const message = data?.json() as Message | undefined;
  if (message?.web_push !== 8030) return;
  const { title, navigate, data: about, ...shown } = message.notification;
  const target = new URL(navigate, SCOPE);
  const key = about?.id === undefined ? null : address(`notice?${encodeURIComponent(about.id)}`);
  const isAgain = key !== null && (await kept(NOTICES, key)) !== undefined;
  if (message.app_badge !== undefined) await setBadge(Number(message.app_badge));
  if (!(await isLookedAt(target))) {
    await self.registration.showNotification(title, {
      ...shown,
      ...alert(shown.tag, isAgain),
      icon: address("icons/icon-192.png"),
      badge: address("icons/monochrome-96.png"),
      data: target.href,
    });
  }
  if (key) await keepNotice(key);
}

/**
 * A newer message with the tag of an older one replaces it, and is told as loudly. One that the server has sent twice, because it
 * could not know that the first arrived, is shown without a sound: browsers want something to be shown for every message.
 */
const alert = (tag: string | undefined, isAgain: boolean): { renotify: boolean; silent?: boolean } =>
  isAgain ? { renotify: false, silent: true } : { renotify: Boolean(tag) };

async function keepNotice(key: string): Promise<void> {
  await keep(NOTICES, key, new Response(""));
  await prune(await caches.open(NOTICES), MOST_NOTICES);
}

/** The browser gives out a new address and takes the old one back, possibly while no page is open: the server must know. */
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renew());
});

async function renew(): Promise<void> {
  const asked = await fetch(address("api/me/notifications"));
  const { push_key: key, ways } = (await asked.json()) as { push_key: string | null; ways: { here: boolean }[] };
  if (!key || !ways.some((way) => way.here)) return; // nobody here wants messages
  const made = await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys = {} } = made.toJSON();
  await fetch(address("api/me/notifications/push"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ endpoint, p256dh: keys.p256dh, auth: keys.auth }),
  });
}

async function setBadge(count: number): Promise<void> {
  const { navigator } = self;
  if ("setAppBadge" in navigator) await (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge());
}

function pages(): Promise<readonly WindowClient[]> {
  return self.clients.matchAll({ type: "window", includeUncontrolled: true });
}

async function isLookedAt(target: URL): Promise<boolean> {
  return (await pages()).some((page) => page.focused && new URL(page.url).pathname === target.pathname);
}

async function open(notification: Notification): Promise<void> {
  const target = new URL(String(notification.data), SCOPE);
  if (within(target) === null) return;
  const there = (await pages()).find((page) => new URL(page.url).pathname === target.pathname);
  await (there ? there.focus() : self.clients.openWindow(target.href));
}
