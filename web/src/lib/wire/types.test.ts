/** The types of the wire and of the views are those of the published schemas. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { it } from "vitest";

it("is what `npm run types` writes", { timeout: 60_000 }, () => {
  execFileSync(process.execPath, [join(import.meta.dirname, "../../../scripts/types.mjs"), "--check"], {
    stdio: "inherit",
  });
});
