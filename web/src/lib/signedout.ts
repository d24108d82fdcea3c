/** When another device has signed this one out: the page goes on as a stranger's, and says why. */
import { t } from "./i18n";
import { live } from "./live.svelte";
import { remember } from "./preferences.svelte";
import { navigate } from "./router.svelte";
import { session } from "./session.svelte";

export function signedOut(): void {
  if (session.isLeaving) return; // by our own wish; the page that asked for it says so
  session.forgetMe();
  remember({ name: "", tours: {} });
  navigate("/");
  live.tell(t("problem.signed-out"), { stays: true });
}
