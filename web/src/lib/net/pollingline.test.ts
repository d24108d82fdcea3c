import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Refusal } from "./api";
import { PollingLine } from "./pollingline";
import type { Command, Feed, Outgoing, TableInfo, Update } from "$lib/wire";

const page = { visibilityState: "visible" };
const info = (ply: number): Outgoing => ({ type: "info", table: { id: "t", ply } as TableInfo });
const update = (ply: number): Outgoing => ({ type: "update", seat: 0, ply }) as Update;
const said = (number: number): Outgoing => ({ type: "said", number, at_ms: 0, seat: 0, name: "Ada" }) as Outgoing;
const act: Command = { do: "act", id: "a1", seat: 0, ply: 1, action: "x" };
const refusal = (status: number): Refusal => new Refusal({ type: "problem", code: "stale", message: "late" }, status);

/** A server whose table stands at some ply, and a line to it that writes down what happens. */
class Scene {
  answer: Outgoing[] = [];
  fails: Refusal | null = null;
  known = 0;
  asked: string[] = [];
  heard: string[] = [];

  readonly line = new PollingLine(
    { feed: (since, number) => this.reply(`feed ${since} ${number}`), command: (command) => this.reply(command.id) },
    () => this.known,
    {
      onUp: () => this.heard.push("up"),
      onDown: () => this.heard.push("down"),
      onMessage: (message) => this.heard.push(nameOf(message)),
      onRefused: (problem) => this.heard.push(`refused ${problem.code}`),
    },
  );

  /** What was heard since the last time. */
  news(): string[] {
    return this.heard.splice(0);
  }

  private async reply(question: string): Promise<Feed> {
    this.asked.push(question);
    await Promise.resolve();
    if (this.fails) throw this.fails;
    return { messages: this.answer };
  }
}

function nameOf(message: Outgoing): string {
  if (message.type === "update") return `update ${message.ply}`;
  if (message.type === "said") return `said ${message.number}`;
  if (message.type === "done" || message.type === "problem") return `${message.type} ${message.id}`;
  return message.type;
}

const wait = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

describe("PollingLine", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("document", page);
    page.visibilityState = "visible";
  });
  afterEach(() => vi.useRealTimers());

  it("is up with the first answer, and tells nothing twice", async () => {
    const scene = new Scene();
    scene.answer = [info(1), update(1)];
    await wait(0);
    expect(scene.news()).toEqual(["up", "info", "update 1"]);
    await wait(2_000);
    expect(scene.news()).toEqual([]);
    scene.answer = [info(2), update(2), said(1)];
    await wait(2_000);
    expect(scene.news()).toEqual(["info", "update 2", "said 1"]);
  });

  it("asks from what is known on", async () => {
    const scene = new Scene();
    scene.answer = [said(4)];
    await wait(0);
    scene.known = 7;
    await wait(1_500);
    expect(scene.asked).toEqual(["feed 0 0", "feed 7 4"]);
  });

  it("asks seldom while nobody looks, and at once when somebody does again", async () => {
    const scene = new Scene();
    page.visibilityState = "hidden";
    await wait(9_000);
    expect(scene.asked.length).toBe(1);
    scene.line.wake();
    await wait(0);
    expect(scene.asked.length).toBe(2);
  });

  it("answers a command by what came of it", async () => {
    const scene = new Scene();
    await wait(0);
    scene.answer = [{ type: "done", id: "a1" }, info(2), update(2)];
    expect(scene.line.send(act)).toBe(true);
    await wait(0);
    expect(scene.news()).toEqual(["up", "done a1", "info", "update 2"]);
  });

  it("passes a refusal on as the answer to its command, and looks what has changed", async () => {
    const scene = new Scene();
    await wait(0);
    scene.news();
    scene.fails = refusal(409);
    scene.line.send(act);
    await Promise.resolve();
    await Promise.resolve();
    scene.fails = null;
    await wait(0);
    expect(scene.news()).toEqual(["problem a1"]);
    expect(scene.asked).toEqual(["feed 0 0", "a1", "feed 0 0"]);
  });

  it("is down when the server is gone, takes no command, and comes back", async () => {
    const scene = new Scene();
    await wait(0);
    scene.fails = refusal(0);
    scene.line.send(act);
    await wait(0);
    expect(scene.news()).toEqual(["up", "down"]);
    expect(scene.line.send(act)).toBe(false);
    scene.fails = null;
    await wait(5_000);
    expect(scene.news()).toEqual(["up"]);
  });

  it("stays away as long as the server asks it to", async () => {
    const scene = new Scene();
    await wait(0);
    scene.fails = new Refusal({ type: "problem", code: "busy", message: "later", retry_after: 30 }, 429);
    await wait(1_500);
    const asked = scene.asked.length;
    await wait(29_000);
    expect(scene.asked.length).toBe(asked);
    scene.fails = null;
    await wait(5_000);
    expect(scene.news().at(-1)).toBe("up");
  });

  it("tells a refusal for good", async () => {
    const scene = new Scene();
    scene.fails = new Refusal({ type: "problem", code: "quarantined", message: "set aside" }, 410);
    await wait(0);
    expect(scene.news()).toEqual(["refused quarantined"]);
  });

  it("is silent once it is closed", async () => {
    const scene = new Scene();
    scene.answer = [info(1)];
    scene.line.close();
    await wait(60_000);
    expect(scene.asked.length).toBe(1);
    expect(scene.news()).toEqual([]);
  });
});
