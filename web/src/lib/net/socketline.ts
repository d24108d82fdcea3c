/** One WebSocket to a table, from its opening to its end. Whether another one follows is for the connection to decide. */
import { at } from "./base";
import { inviteQuery } from "./invitations";
import { isHidden } from "./attention";
import { type Closing, type Line, type LineEvents } from "./line";
import type { Incoming, Outgoing } from "$lib/wire";

const HEARTBEAT_MS = 10_000;
const SILENCE_MS = 25_000; // two heartbeats without any answer: the line is dead, whatever the browser believes
const FIRST_WORD_MS = 10_000; // the server greets at once; a proxy may swallow the question, or the answer
const STALE_MS = HEARTBEAT_MS + 2_000;

export class SocketLine implements Line {
  /** Whether anything ever came. */
  spoke = false;
  /** What the server is told at the handshake. */
  readonly wasHidden = isHidden();
  private greetedAt = 0;
  private readonly socket: WebSocket;
  private readonly patience: ReturnType<typeof setTimeout>;
  private heartbeat: ReturnType<typeof setInterval> | undefined;
  private lastHeard = 0;

  constructor(
    table: string,
    since: number,
    private readonly events: LineEvents,
  ) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const hidden = this.wasHidden ? "hidden=1" : "";
    const query = [`since=${since}`, "fold=1", hidden, inviteQuery(table)].filter(Boolean).join("&");
    this.socket = new WebSocket(`${scheme}://${location.host}${at(`/api/tables/${table}/live`)}?${query}`);
    this.socket.onmessage = (event) => this.heard(String(event.data));
    this.socket.onclose = ({ code, reason }) => this.lost({ code, reason });
    this.patience = setTimeout(() => this.lost(), FIRST_WORD_MS);
  }

  send(command: Incoming): boolean {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(command));
    return true;
  }

  /** A phone that slept may hold a dead line: better a new one than to wait for its heartbeat. */
  wake(): void {
    if (this.spoke && Date.now() - this.lastHeard > STALE_MS) this.lost();
  }

  close(): void {
    clearTimeout(this.patience);
    clearInterval(this.heartbeat);
    this.socket.onclose = this.socket.onmessage = null;
    this.socket.close();
  }

  /** How long it has carried messages, in milliseconds. */
  get lasted(): number {
    return this.spoke ? Date.now() - this.greetedAt : 0;
  }

  private heard(text: string): void {
    this.lastHeard = Date.now();
    if (!this.spoke) this.greeted();
    const message = JSON.parse(text) as Outgoing;
    if (message.type !== "pong") this.events.onMessage(message);
  }

  private greeted(): void {
    this.spoke = true;
    this.greetedAt = Date.now();
    clearTimeout(this.patience);
    this.heartbeat = setInterval(() => this.beat(), HEARTBEAT_MS);
    this.events.onUp();
  }

  private beat(): void {
    if (Date.now() - this.lastHeard > SILENCE_MS) this.lost();
    else this.send({ do: "ping" });
  }

  private lost(closed?: Closing): void {
    this.close();
    this.events.onDown(closed);
  }
}
