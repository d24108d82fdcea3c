/** The live line to a table: reconnects by itself, has its own heartbeat, and says how it is doing. */
import { backoff } from "./backoff";
import type { Incoming, Outgoing } from "./wire";

export type LineState = "connecting" | "live" | "waiting" | "closed";

const HEARTBEAT_MS = 10_000;
const SILENCE_MS = 25_000; // two heartbeats without any answer: the line is dead, whatever the browser believes

export interface LineHandlers {
  onMessage(message: Outgoing): void;
  onState(state: LineState): void;
  /** Everything up to this ply is known; a new line starts from there. */
  since(): number;
}

export class Connection {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private heartbeat: ReturnType<typeof setInterval> | undefined;
  private lastHeard = 0;
  private closed = false;

  constructor(
    private readonly table: string,
    private readonly handlers: LineHandlers,
  ) {
    addEventListener("online", this.hurry);
    addEventListener("offline", this.drop);
    document.addEventListener("visibilitychange", this.lookUp);
    this.open();
  }

  /** Sends if the line is live. What was not sent is for the caller to repeat when it is. */
  send(command: Incoming): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(command));
    return true;
  }

  close(): void {
    this.closed = true;
    removeEventListener("online", this.hurry);
    removeEventListener("offline", this.drop);
    document.removeEventListener("visibilitychange", this.lookUp);
    this.tearDown();
    this.handlers.onState("closed");
  }

  private open(): void {
    this.tearDown();
    this.handlers.onState("connecting");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(
      `${scheme}://${location.host}/api/tables/${this.table}/live?since=${this.handlers.since()}`,
    );
    this.socket = socket;
    socket.onopen = () => this.opened();
    socket.onmessage = (event) => this.heard(String(event.data));
    socket.onclose = () => this.socket === socket && this.lost();
  }

  private opened(): void {
    this.lastHeard = Date.now();
    this.heartbeat = setInterval(() => this.beat(), HEARTBEAT_MS);
    this.handlers.onState("live");
  }

  private heard(text: string): void {
    this.lastHeard = Date.now();
    this.attempt = 0;
    const message = JSON.parse(text) as Outgoing;
    if (message.type !== "pong") this.handlers.onMessage(message);
  }

  private beat(): void {
    if (Date.now() - this.lastHeard > SILENCE_MS) this.lost();
    else this.send({ do: "ping" });
  }

  private lost(): void {
    if (this.closed) return;
    this.tearDown();
    this.handlers.onState("waiting");
    this.timer = setTimeout(() => this.open(), backoff(this.attempt++));
  }

  private tearDown(): void {
    clearTimeout(this.timer);
    clearInterval(this.heartbeat);
    const { socket } = this;
    this.socket = null;
    if (socket) socket.onclose = socket.onmessage = socket.onopen = null;
    socket?.close();
  }

  private readonly hurry = (): void => {
    if (this.socket?.readyState === WebSocket.OPEN) return;
    this.attempt = 0;
    this.open();
  };

  private readonly drop = (): void => this.lost();

  /** A phone that slept may hold a dead line; ask at once when somebody looks again. */
  private readonly lookUp = (): void => {
    if (document.visibilityState === "visible" && Date.now() - this.lastHeard > HEARTBEAT_MS + 2_000) this.hurry();
  };
}
