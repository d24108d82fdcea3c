import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection } from "./connection";
import { keepInvitation } from "./invitations";

/** A socket that does what the test wants. */
class FakeSocket {
  static readonly OPEN = 1;
  static opened: FakeSocket[] = [];
  readyState = 0;
  sent: string[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  constructor(readonly url: string) {
    FakeSocket.opened.push(this);
  }
  end(code = 1006, reason = ""): void {
    this.onclose?.({ code, reason });
  }
  greet(): void {
    this.readyState = FakeSocket.OPEN;
    this.onmessage?.({ data: JSON.stringify({ type: "info", table: {} }) });
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
  }
}

const listeners = new Map<string, () => void>();
const states: string[] = [];
const ends: string[] = [];
let messages = 0;
let connection: Connection;
let http: "answers" | "is gone" | "refuses" = "answers";
const wait = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const newest = (): FakeSocket => FakeSocket.opened.at(-1)!;

/** A proxy that refuses every socket for so long. */
async function refuseFor(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    newest().end();
    await wait(100);
  }
}

describe("Connection", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("WebSocket", FakeSocket);
    vi.stubGlobal("location", { protocol: "http:", host: "lampion" });
    vi.stubGlobal("document", { visibilityState: "visible", addEventListener: vi.fn(), removeEventListener: vi.fn() });
    vi.stubGlobal("addEventListener", (name: string, listener: () => void) => listeners.set(name, listener));
    vi.stubGlobal("removeEventListener", (name: string) => listeners.delete(name));
    vi.stubGlobal("fetch", () => {
      if (http === "is gone") return Promise.reject(new TypeError("gone"));
      return Promise.resolve(
        http === "answers"
          ? Response.json({ messages: [{ type: "info", table: {} }] })
          : Response.json({ type: "problem", code: "update-server", message: "update the server" }, { status: 503 }),
      );
    });
    FakeSocket.opened = [];
    states.length = ends.length = messages = 0;
    http = "answers";
    connection = new Connection("t", {
      onMessage: () => (messages += 1),
      onState: (state) => states.push(state),
      since: () => 5,
      onEnd: (problem) => ends.push(problem.code),
    });
  });
  afterEach(() => {
    connection.close();
    vi.useRealTimers();
  });

  it("is live with the first word of a socket", () => {
    expect(newest().url).toBe("ws://lampion/api/tables/t/live?since=5&fold=1");
    expect(connection.send({ do: "ping" })).toBe(false);
    newest().greet();
    expect(states).toEqual(["connecting", "live"]);
    expect(messages).toBe(1);
    expect(connection.send({ do: "ping" })).toBe(true);
  });

  it("says whether somebody looks at the page", () => {
    const page = document as unknown as { visibilityState: string; addEventListener: ReturnType<typeof vi.fn> };
    const [, lookUp] = page.addEventListener.mock.calls.findLast(([name]) => name === "visibilitychange") as [
      string,
      () => void,
    ];
    newest().greet();
    page.visibilityState = "hidden";
    lookUp();
    expect(newest().sent.at(-1)).toBe('{"do":"look","seen":false}');
    newest().end();
    connection.close();
    connection = new Connection("t", { onMessage: vi.fn(), onState: vi.fn(), since: () => 5, onEnd: vi.fn() });
    expect(newest().url).toContain("&hidden=1");
  });

  it("says that somebody is back who came during the handshake", async () => {
    const page = document as unknown as { visibilityState: string };
    page.visibilityState = "hidden";
    newest().end();
    await wait(1_000);
    expect(newest().url).toContain("&hidden=1");
    page.visibilityState = "visible";
    newest().greet();
    expect(newest().sent).toEqual(['{"do":"look","seen":true}']);
  });

  it("comes back by a socket when one breaks", async () => {
    newest().greet();
    newest().end();
    await wait(1_000);
    newest().greet();
    expect(states).toEqual(["connecting", "live", "waiting", "connecting", "live"]);
  });

  it("goes on over HTTP where sockets are refused", async () => {
    await refuseFor(5_000);
    expect(states.at(-1)).toBe("polling");
    expect(messages).toBe(1);
    expect(connection.send({ do: "sync", since: 0 })).toBe(true);
    const before = FakeSocket.opened.length;
    await refuseFor(60_000);
    expect(FakeSocket.opened.length - before).toBeGreaterThanOrEqual(2);
    expect(states.at(-1)).toBe("polling");
  });

  it("goes on over HTTP where sockets are swallowed", async () => {
    await wait(30_000);
    expect(states.at(-1)).toBe("polling");
  });

  it("returns to a socket as soon as one speaks, and stops asking", async () => {
    await refuseFor(5_000);
    await wait(20_000);
    newest().greet();
    expect(states.at(-1)).toBe("live");
    const heard = messages;
    await wait(20_000);
    expect(messages).toBe(heard);
  });

  it.each(["signed-out", "ban-in-force", "quarantined"])("gives up when the server closes with %s", async (reason) => {
    newest().greet();
    newest().end(1008, reason);
    const before = FakeSocket.opened.length;
    await wait(600_000);
    expect(ends).toEqual([reason]);
    expect(states.at(-1)).toBe("closed");
    expect(FakeSocket.opened.length).toBe(before);
  });

  it("gives up when the handshake is refused and HTTP tells why for good", async () => {
    http = "refuses";
    await refuseFor(5_000);
    const before = FakeSocket.opened.length;
    await wait(600_000);
    expect(ends).toEqual(["update-server"]);
    expect(FakeSocket.opened.length).toBe(before);
  });

  it("does not hammer a server that greets and hangs up", async () => {
    for (let passed = 0; passed < 60_000; passed += 100) {
      if (newest().readyState === 0) {
        newest().greet();
        newest().end(1013, "busy");
      }
      await wait(100);
    }
    expect(FakeSocket.opened.length).toBeLessThan(25);
  });

  it("passes the invitation on", () => {
    keepInvitation("t2", "an-invitation-of-24-char");
    const invited = new Connection("t2", {
      onMessage: () => undefined,
      onState: () => undefined,
      since: () => 0,
      onEnd: () => undefined,
    });
    expect(newest().url).toBe("ws://lampion/api/tables/t2/live?since=0&fold=1&invite=an-invitation-of-24-char");
    invited.close();
  });

  it("waits while the server is gone, and takes the first way that opens", async () => {
    http = "is gone";
    await refuseFor(30_000);
    expect(states.at(-1)).not.toBe("polling");
    http = "answers";
    await refuseFor(20_000);
    expect(states.at(-1)).toBe("polling");
  });

  it("drops everything without a network, and hurries when there is one", async () => {
    await refuseFor(5_000);
    listeners.get("offline")?.();
    expect(states.at(-1)).toBe("waiting");
    const before = FakeSocket.opened.length;
    listeners.get("online")?.();
    expect(FakeSocket.opened.length).toBe(before + 1);
    newest().greet();
    expect(states.at(-1)).toBe("live");
  });
});
