import { beforeEach, expect, it, vi } from "vitest";
import type { Evidence, JudgementTask } from "../../engine";
import { api, Refusal } from "$lib/net/api";
import { Judge } from "./judge";

const tasks = [
  { ply: 3, task: { weights: "" } },
  { ply: 5, task: { weights: "" } },
] as JudgementTask[];
const wanted = { record: {}, plies: [3, 5], language: "en" };
const judged = [{ ply: 3 }, { ply: 5 }] as never[];
const asked = vi.spyOn(api, "judgementTasks");
const told = vi.spyOn(api, "judgements");

beforeEach(() => {
  asked.mockReset().mockResolvedValue({ weights: "net", tasks });
  told.mockReset().mockResolvedValue({ judged });
});

it("sends what the browser found, with the network that all tasks share", async () => {
  const seen: string[] = [];
  const judge = new Judge((task): Promise<Evidence> => {
    seen.push(task.task.weights);
    return Promise.resolve({ ply: task.ply, gaps: [] });
  });
  expect(await judge.judge(wanted)).toBe(judged);
  expect(seen).toEqual(["net", "net"]);
  expect(told).toHaveBeenCalledWith({ ...wanted, found: [3, 5].map((ply) => ({ ply, gaps: [] })) });
});

it("leaves everything to the server once the browser has failed", async () => {
  const judge = new Judge(() => Promise.reject(new Error("no module")));
  expect(await judge.judge(wanted)).toBe(judged);
  await judge.judge(wanted);
  expect(asked).toHaveBeenCalledTimes(1);
  expect(told.mock.calls).toEqual([[wanted], [wanted]]);
});

it("does not ask again what the server has refused", async () => {
  const refusal = new Refusal({ type: "problem", code: "not-ended", message: "it still runs" }, 409);
  asked.mockRejectedValue(refusal);
  await expect(new Judge().judge(wanted)).rejects.toBe(refusal);
  expect(told).not.toHaveBeenCalled();
});
