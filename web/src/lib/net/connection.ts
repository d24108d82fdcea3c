/**
 * The live connection to a table: a socket where there may be one, HTTP where sockets are refused. It comes back by itself and says
 * how it is doing.
 */
import { api } from "./api";
import { Attention, isHidden } from "./attention";
import { isLasting, type Closing, type Line } from "./line";
import { PollingLine } from "./pollingline";
import { SocketLine } from "./socketline";
import { NO_TRIES, retryAfter, socketEnded, wantsHttp } from "./tries";
import type { Command, Incoming, Outgoing, Problem } from "$lib/wire";

export type ConnectionState = "connecting" | "live" | "polling" | "waiting" | "closed";

/** Whether commands go through. */
export const isUp = (state: ConnectionState): boolean => state === "live" || state === "polling";

export interface ConnectionHandlers {
  onMessage(message: Outgoing): void;
  onState(state: ConnectionState): void;
  /** Everything up to this ply is known; a new line starts from there. */
  since(): number;
  /** The server will not have us here: nothing is tried any more. */
  onEnd(problem: Problem): void;
}

export class Connection {
  /** The line that carries the messages now. */
  private line: Line | null = null;
  private socket: SocketLine | null = null;
  private polling: PollingLine | null = null;
  private tries = NO_TRIES;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly attention = new Attention(() => this.lookUp());

  constructor(
    private readonly table: string,
    private readonly handlers: ConnectionHandlers,
  ) {
    addEventListener("online", this.hurry);
    addEventListener("offline", this.drop);
    this.openSocket();
  }

  send(command: Incoming): boolean {
    return this.line?.send(command) ?? false;
  }

  close(): void {
    removeEventListener("online", this.hurry);
    removeEventListener("offline", this.drop);
    this.attention.close();
    this.tearDown();
    this.handlers.onState("closed");
  }

  private end(problem: Problem): void {
    this.close();
    this.handlers.onEnd(problem);
  }

  private openSocket(): void {
    clearTimeout(this.timer);
    this.socket?.close();
    if (!this.line) this.handlers.onState("connecting");
    this.socket = new SocketLine(this.table, this.handlers.since(), {
      onUp: () => this.socketUp(),
      onMessage: (message) => this.handlers.onMessage(message),
      onDown: (closed) => this.socketDown(closed),
    });
  }

  private socketUp(): void {
    this.polling?.close();
    this.polling = null;
    this.carry(this.socket, "live");
    if (this.socket && this.socket.wasHidden !== isHidden()) this.lookUp(); // since the handshake began
  }

  private socketDown(closed?: Closing): void {
    if (closed && isLasting(closed.reason))
      return this.end({ type: "problem", code: closed.reason, message: closed.reason });
    const { spoke = false, lasted = 0 } = this.socket ?? {};
    if (this.line === this.socket) this.line = null;
    this.socket = null;
    this.tries = socketEnded(this.tries, { spoke, lasted, httpAnswers: this.httpAnswers, closed });
    if (wantsHttp(this.tries)) this.polling ??= this.newPolling();
    this.goOn();
  }

  private newPolling(): PollingLine {
    const http = {
      feed: (since: number, said: number) => api.feed(this.table, since, said),
      command: (command: Command, since: number) => api.command(this.table, command, since),
    };
    return new PollingLine(http, () => this.handlers.since(), {
      onUp: () => this.carry(this.polling, "polling"),
      onMessage: (message) => this.handlers.onMessage(message),
      onDown: () => this.pollingDown(),
      onRefused: (problem) => this.end(problem),
    });
  }

  private pollingDown(): void {
    this.line = null;
    this.goOn();
  }

  /** After a loss: tell it if nothing carries us now, and plan the next socket unless one is being tried. */
  private goOn(): void {
    if (!this.line) this.handlers.onState("waiting");
    if (!this.socket) this.planSocket();
  }

  private planSocket(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.openSocket(), retryAfter(this.tries, this.httpAnswers));
  }

  private carry(line: Line | null, state: ConnectionState): void {
    this.line = line;
    this.handlers.onState(state);
  }

  private get httpAnswers(): boolean {
    return this.line !== null && this.line === this.polling;
  }

  private tearDown(): void {
    clearTimeout(this.timer);
    this.socket?.close();
    this.polling?.close();
    this.line = this.socket = this.polling = null;
  }

  private readonly hurry = (): void => {
    this.tries = NO_TRIES;
    this.polling?.wake();
    if (!this.line || this.line !== this.socket) this.openSocket();
  };

  private readonly drop = (): void => {
    this.tearDown();
    this.goOn();
  };

  /** A person begins or stops looking at the page. */
  private lookUp(): void {
    this.line?.send({ do: "look", seen: !isHidden() });
    if (isHidden()) return;
    if (this.line) this.line.wake();
    else this.hurry();
  }
}
