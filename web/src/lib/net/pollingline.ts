/** The messages of a table over plain HTTP: asked for again and again, often while the page is visible, seldom otherwise. */
import { Refusal } from "./api";
import { isHidden } from "./attention";
import { backoff } from "./backoff";
import { isLasting, type Line, type LineEvents } from "./line";
import type { Command, Feed, Incoming, Outgoing, Problem } from "$lib/wire";

/** How a table is asked. */
export interface TableHttp {
  feed(since: number, said: number): Promise<Feed>;
  command(command: Command, since: number): Promise<Feed>;
}

export interface PollingEvents extends LineEvents {
  /** The server will not open this table to us, however often it is asked. */
  onRefused(problem: Problem): void;
}

const LOOKING_MS = 1_500;
const HIDDEN_MS = 10_000;

export class PollingLine implements Line {
  private isUp = false;
  private isClosed = false;
  private isAsking = false;
  private asksAgain = false;
  private failures = 0;
  /** The server said how long to stay away; in milliseconds. */
  private askedToWait = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  // What was told last: an answer that brings nothing new is not passed on.
  private toldTable = "";
  private readonly toldPly = new Map<number | null, number>();
  private lastSaid = 0;

  constructor(
    private readonly http: TableHttp,
    private readonly since: () => number,
    private readonly events: PollingEvents,
  ) {
    void this.ask();
  }

  send(command: Incoming): boolean {
    if (!this.isUp) return false;
    if (command.do === "sync" || command.do === "look") void this.ask();
    else if (command.do !== "ping") void this.post(command);
    return true;
  }

  wake(): void {
    void this.ask();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private async ask(): Promise<void> {
    if (this.isAsking) {
      this.asksAgain = true;
      return;
    }
    clearTimeout(this.timer);
    this.isAsking = true;
    this.asksAgain = false;
    try {
      this.take(await this.http.feed(this.since(), this.lastSaid));
    } catch (error) {
      this.fail(error);
    }
    this.isAsking = false;
    if (this.isClosed) return;
    if (this.asksAgain) void this.ask();
    else this.timer = setTimeout(() => void this.ask(), this.pause());
  }

  private async post(command: Command): Promise<void> {
    try {
      this.take(await this.http.command(command, this.since()));
    } catch (error) {
      if (!(error instanceof Refusal) || error.status === 0 || error.status >= 500) this.fail(error);
      else if (!this.isClosed) this.refused(error, command);
    }
  }

  /** A refusal is an answer; the table may have moved on meanwhile. */
  private refused({ problem }: Refusal, command: Command): void {
    this.events.onMessage({ ...problem, id: command.id });
    void this.ask();
  }

  private take({ messages }: Feed): void {
    if (this.isClosed) return;
    this.failures = this.askedToWait = 0;
    if (!this.isUp) {
      this.isUp = true;
      this.events.onUp();
    }
    for (const message of messages) if (this.isNews(message)) this.events.onMessage(message);
  }

  private fail(error: unknown): void {
    if (this.isClosed) return;
    const problem = error instanceof Refusal ? error.problem : null;
    if (problem && isLasting(problem.code)) return this.events.onRefused(problem);
    this.failures += 1;
    this.askedToWait = 1_000 * (problem?.retry_after ?? 0);
    if (!this.isUp) return;
    this.isUp = false;
    this.events.onDown();
  }

  private isNews(message: Outgoing): boolean {
    if (message.type === "info") {
      const table = JSON.stringify(message.table);
      if (table === this.toldTable) return false;
      this.toldTable = table;
    } else if (message.type === "update") {
      if (message.ply <= (this.toldPly.get(message.seat) ?? -1)) return false;
      this.toldPly.set(message.seat, message.ply);
    } else if (message.type === "said") {
      this.lastSaid = Math.max(this.lastSaid, message.number);
    }
    return true;
  }

  private pause(): number {
    if (this.failures) return this.askedToWait + backoff(this.failures - 1);
    return isHidden() ? HIDDEN_MS : LOOKING_MS;
  }
}
