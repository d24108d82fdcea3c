import { beforeAll, describe, expect, it } from "vitest";
import { setLanguage } from "./i18n";
import { problemText } from "./problems";
import type { Problem } from "$lib/wire";

const problem = (code: string, message: string, values: Record<string, unknown> = {}): Problem => ({
  type: "problem",
  code,
  message,
  values,
});

describe("problemText", () => {
  beforeAll(async () => {
    Object.assign(globalThis, { document: { documentElement: {} } });
    await setLanguage("en");
  });

  it("makes a sentence of what the server says", () => {
    const text = problemText(problem("already-refused", "the others have just said no; play on first"));
    expect(text).toBe("The others have just said no; play on first.");
  });
  it("says why somebody is banned, and until when", () => {
    const until = new Date(2026, 10, 20, 18, 30).getTime();
    const text = problemText(problem("ban-in-force", "banned", { reason: "spam", until_ms: until }));
    expect(text).toMatch(/^You cannot play on this server until November 20, 2026 at 6:30\sPM\. Reason: spam$/);
  });
  it("says no date where a sanction has no end, and no reason where none is known", () => {
    const forever = problem("mute-in-force", "muted", { reason: "insults", until_ms: -1 });
    expect(problemText(forever)).toBe("You cannot write in chats for now. Reason: insults");
    expect(problemText(problem("ban-in-force", "ban-in-force"))).toBe("You cannot play on this server for now.");
  });
  it("knows a device that was signed out", () => {
    expect(problemText(problem("signed-out", "signed-out"))).toBe("Another device of yours has signed this one out.");
  });
});
