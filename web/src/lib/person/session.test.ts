import { afterEach, expect, it, vi } from "vitest";
import { session } from "./session.svelte";
import type { Me } from "$lib/wire";

afterEach(() => vi.unstubAllGlobals());

it("is not made nobody by an answer that is older than its name", async () => {
  let answer: (response: Response) => void = () => undefined;
  vi.stubGlobal("fetch", () => new Promise<Response>((done) => (answer = done)));
  const asked = session.who();
  const iris = { id: "iris", name: "Iris" } as Me;
  session.me = iris;
  answer(Response.json({ id: null, name: "" }));
  expect((await asked).id).toBe("iris");
  expect(session.isKnown).toBe(true);
});
