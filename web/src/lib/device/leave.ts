/** A person leaves this device: what was theirs is nobody else's business. */
import { setWaiting } from "./badge";
import { forgetKept } from "./kept";
import { pushNoMore } from "./push";

export async function leaveDevice(): Promise<void> {
  setWaiting([]);
  await Promise.all([forgetKept(), pushNoMore().catch(() => undefined)]);
}
