/** Notifications that this device shows. */

/** Declarative messages, which the browser shows by itself, say where they lead in a field of their own. */
const leadsTo = (notice: Notification): string =>
  (notice as { navigate?: string }).navigate || String(notice.data ?? "");

/** What leads to the page that is open now has been seen, however it was opened. */
export async function closeNotices(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const worker = await navigator.serviceWorker.getRegistration();
  for (const notice of (await worker?.getNotifications()) ?? []) {
    if (new URL(leadsTo(notice), location.href).pathname === location.pathname) notice.close();
  }
}
