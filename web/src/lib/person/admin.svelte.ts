/** The admin API: the key of this tab, and one call for each operation. */
import { Refusal, request } from "$lib/net/api";
import { currentLanguage } from "$lib/text/i18n";
import { recall, store } from "$lib/device/visit";

const KEY = "lampion-admin";

class Admin {
  key = $state(recall(KEY));

  /** Does an operation; a key that is no longer valid is forgotten. */
  async call<T>(operation: string, wanted: object = {}): Promise<T> {
    try {
      return await request<T>("POST", `/admin/${operation}`, wanted, this.key);
    } catch (error) {
      if (error instanceof Refusal && error.problem.code === "not-an-admin") this.signOut();
      throw error;
    }
  }

  async signIn(key: string): Promise<void> {
    await request("POST", "/admin/status", {}, key);
    this.key = key;
    store(KEY, key);
  }

  signOut(): void {
    this.key = "";
    store(KEY, "");
  }
}

export const admin = new Admin();

/** A moment in the language of the page, to the minute. */
export function moment(ms: number): string {
  return new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "medium", timeStyle: "short" }).format(ms);
}
