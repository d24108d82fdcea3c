/** When another device has signed this one out: the page goes on as a stranger's, and says why. */
import { t } from "$lib/text/i18n";
import { leaveDevice } from "$lib/device/leave";
import { live } from "$lib/page/live.svelte";
import { remember } from "$lib/device/preferences.svelte";
import { navigate } from "$lib/page/router.svelte";
import { session } from "./session.svelte";

export function signedOut(): void {
  if (session.isLeaving) return; // by our own wish; the page that asked for it says so
  session.forgetMe();
  void leaveDevice();
  remember({ name: "", guides: {} });
  navigate("/");
  live.tell(t("problem.signed-out"), { stays: true });
}
