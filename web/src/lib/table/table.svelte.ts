/** A table as this page knows it: who sits there, what my seats see, what was said, and the commands on their way. */
import { api, Refusal } from "$lib/net/api";
import type { AnyEvent } from "$lib/board/board";
import { Connection, isUp, type ConnectionState } from "$lib/net/connection";
import { keepHeard, lastHeard } from "./heard";
import { isLasting } from "$lib/net/line";
import { live } from "$lib/page/live.svelte";
import { showFor } from "./pacing";
import { reducedMotion } from "$lib/device/preferences.svelte";
import { canInflate, inflated } from "$lib/net/inflated";
import { takeUpdate, toldOnce, type SeatLine, type Told } from "./seatline";
import { session } from "$lib/person/session.svelte";
import { signedOut } from "$lib/person/signedout";
import { myName } from "./start";
import { newsOf } from "./tablenews";
import type { Command, Effects, LargeEffects, Outgoing, Previews, Problem, Said, TableInfo, Update } from "$lib/wire";

export type Phrase = NonNullable<Said["phrase"]>;
/** A command before it has its id. */
type Wanted = Command extends infer C ? (C extends Command ? Omit<C, "id"> : never) : never;

const newId = (): string => crypto.randomUUID().replaceAll("-", "");
const WATCHER = -1;

export class LiveTable {
  info = $state.raw<TableInfo | null>(null);
  line = $state<ConnectionState>("connecting");
  /** By seat; WATCHER for a spectator. */
  seats = $state.raw<Record<number, SeatLine>>({});
  said = $state.raw<Said[]>([]);
  problem = $state.raw<Problem | null>(null);
  failed = $state.raw<Problem | null>(null);
  /** Whether I chose to watch a game that I came too late for. */
  watches = $state(false);
  /** The last line of chat that I have read or that was on my screen; a reload remembers it. */
  private heard = $state(0);
  /** Commands that have not been answered, by id. Sent again on a new line: the server does each only once. */
  private pending = $state.raw<Record<string, Command>>({});
  /** The ply at which a seat acted last: until something newer is shown, that action is still on its way. */
  private acted = $state.raw<Record<number, number>>({});
  /** Effects that did not fit into their update, by seat: the latest that came, by a message of their own or asked for. */
  private large = $state.raw<Record<number, { ply: number; told: Told }>>({});
  /** This browser cannot read effects that follow an update. */
  private mustAsk = $state(!canInflate);
  private connection: Connection | null = null;
  /** Who we were for the server, as far as we knew, when the line was opened. */
  private lineOf: string | null = null;
  private queue: Update[] = [];
  private showing: ReturnType<typeof setTimeout> | undefined;
  private wantedPreviews = "";

  constructor(readonly id: string) {
    this.heard = lastHeard(id);
  }

  async open(): Promise<void> {
    try {
      this.info = await api.table(this.id);
    } catch (error) {
      this.failed =
        error instanceof Refusal ? error.problem : { type: "problem", code: "error", message: String(error) };
      return;
    }
    this.connect();
  }

  /** Opens the line again, as the person that this browser has become: the server asks for an identity only once. */
  connect(): void {
    this.connection?.close();
    void this.readChat();
    this.lineOf = session.me?.id ?? null;
    this.seats = {};
    this.large = {};
    this.queue = [];
    this.connection = new Connection(this.id, {
      onMessage: (message) => this.take(message),
      onState: (state) => this.lineChanged(state),
      since: () => this.knownPly(),
      onEnd: (problem) => void this.end(problem),
    });
  }

  close(): void {
    clearTimeout(this.showing);
    this.connection?.close();
  }

  /** What a seat sees; null is the watcher. */
  seen(seat: number | null): SeatLine | null {
    return this.seats[seat ?? WATCHER] ?? null;
  }

  /** Whether I may read and write the chat here. */
  get mayTalk(): boolean {
    return this.info?.is_insider ?? false;
  }

  /** Lines of chat that others wrote and that I have not seen. */
  get unread(): number {
    const mine = this.mySeats;
    return this.said.filter(({ number, seat }) => number > this.heard && (seat === null || !mine.includes(seat)))
      .length;
  }

  /** The chat is on my screen. */
  read(): void {
    const last = this.said.at(-1)?.number ?? 0;
    if (last <= this.heard) return;
    this.heard = last;
    keepHeard(this.id, last);
  }

  get mySeats(): number[] {
    return this.info?.seats.filter((seat) => seat.mine).map((seat) => seat.seat) ?? [];
  }

  /** Those of my seats that I play myself now. */
  get playedSeats(): number[] {
    return (
      this.info?.seats.filter((seat) => seat.mine && !seat.stand_in && !seat.resigned).map((seat) => seat.seat) ?? []
    );
  }

  waiting(seat: number): boolean {
    const isUnderWay = Object.values(this.pending).some((command) => command.do !== "say" && command.seat === seat);
    return isUnderWay || this.acted[seat] === this.seen(seat)?.ply;
  }

  previews(seat: number): Record<string, AnyEvent[]> {
    const line = this.seen(seat);
    const found = this.large[seat];
    if (line?.effects) return line.effects;
    return found && found.ply === line?.ply ? found.told(line.legal) : {};
  }

  /** Asks for large effects where they do not come by themselves, as they do on a socket. */
  async loadPreviews(seat: number): Promise<void> {
    const line = this.seen(seat);
    const wanted = `${seat}@${line?.ply}`;
    if (!line?.legal.length || line.effects || this.large[seat]?.ply === line.ply) return;
    if ((this.line === "live" && !this.mustAsk) || this.wantedPreviews === wanted) return;
    this.wantedPreviews = wanted;
    try {
      const { ply, previews }: Previews = await api.previews(this.id, seat);
      this.keepLarge(seat, ply, () => previews as Record<string, AnyEvent[]>);
    } catch {
      this.wantedPreviews = ""; // without previews a board still plays
    }
  }

  private async takeEffects({ seat, ply, deflated }: LargeEffects): Promise<void> {
    try {
      this.keepLarge(seat, ply, toldOnce((await inflated(deflated)) as Effects));
    } catch {
      this.mustAsk = true;
    }
  }

  private keepLarge(seat: number, ply: number, told: Told): void {
    if (ply >= (this.large[seat]?.ply ?? 0)) this.large = { ...this.large, [seat]: { ply, told } };
  }

  /** Says something; a spectator first tells the server who they are. */
  async say(words: { text: string } | { phrase: Phrase }): Promise<void> {
    if (!this.mySeats.length) {
      await session.become(myName());
      if (session.me?.id !== this.lineOf) this.connect();
    }
    this.send({ do: "say", ...words });
  }

  act(seat: number, action: string): void {
    const line = this.seen(seat);
    if (!line || this.waiting(seat)) return;
    this.acted = { ...this.acted, [seat]: line.ply };
    this.send({ do: "act", seat, ply: line.ply, action });
  }

  send(wanted: Wanted): void {
    const command = { ...wanted, id: newId() };
    this.problem = null;
    this.pending = { ...this.pending, [command.id]: command };
    this.connection?.send(command);
  }

  async refresh(): Promise<void> {
    this.info = await api.table(this.id);
  }

  private lineChanged(state: ConnectionState): void {
    this.line = state;
    if (isUp(state)) for (const command of Object.values(this.pending)) this.connection?.send(command);
  }

  /** The ply from which a new line must go on: the least that any seat knows. */
  private knownPly(): number {
    const plies = Object.values(this.seats).map((line) => line.ply);
    return plies.length ? Math.min(...plies) : 0;
  }

  private take(message: Outgoing): void {
    switch (message.type) {
      case "info":
        this.takeInfo(message.table);
        break;
      case "update":
        this.queue.push(message);
        if (message.steps.some((step) => this.mySeats.includes(step.actor as number))) this.showAll();
        else if (this.showing === undefined) this.showNext();
        break;
      case "effects":
        void this.takeEffects(message);
        break;
      case "said":
        this.hear([message]);
        break;
      case "done":
        this.settle(message.id);
        break;
      case "problem":
        this.refused(message);
        break;
      case "announced":
        session.announced(message.announcement);
        break;
    }
  }

  private takeInfo(info: TableInfo): void {
    const before = this.info;
    const hadSeats = this.mySeats.length > 0;
    this.info = info;
    const news = before ? newsOf(before, info) : [];
    if (news.length) live.tell(news.join(" "));
    if (hadSeats && !this.mySeats.length) void this.lookWhoIAm();
  }

  /** My seats are nobody's I know: this device may have been signed out while no line told it. */
  private async lookWhoIAm(): Promise<void> {
    const me = await session.who().catch(() => null);
    if (me && !me.id) await this.end({ type: "problem", code: "signed-out", message: "signed out" });
  }

  /** The server has shown us the door, or the table is beyond what it can open: no line is tried any more. */
  private async end(problem: Problem): Promise<void> {
    this.close();
    if (problem.code === "signed-out") signedOut();
    else this.failed = await this.whyNot(problem);
  }

  /** A socket ends with a bare code; asked over HTTP the server tells the whole of it. */
  private async whyNot(problem: Problem): Promise<Problem> {
    try {
      await api.table(this.id);
    } catch (error) {
      if (error instanceof Refusal && isLasting(error.problem.code)) return error.problem;
    }
    return problem;
  }

  /** What I did myself is shown at once, and so is all that came before it. */
  private showAll(): void {
    clearTimeout(this.showing);
    this.showing = undefined;
    for (const update of this.queue.splice(0)) this.show(update);
  }

  private showNext(): void {
    this.showing = undefined;
    const update = this.queue.shift();
    if (!update) return;
    this.show(update);
    const events = update.steps.reduce((sum, step) => sum + step.events.length, 0);
    const isSamePly = this.queue[0]?.ply === update.ply; // the same step for another of my seats
    const pause = isSamePly ? 0 : showFor(events, this.queue.length, reducedMotion());
    if (pause > 0 || this.queue.length > 0) this.showing = setTimeout(() => this.showNext(), pause);
  }

  private show(update: Update): void {
    const key = update.seat ?? WATCHER;
    const taken = takeUpdate(this.seats[key], update, Date.now());
    if (taken.kind === "taken") this.seats = { ...this.seats, [key]: taken.line };
    else if (taken.kind === "gap") this.connection?.send({ do: "sync", since: taken.since });
  }

  private settle(id: string): void {
    const { [id]: _done, ...rest } = this.pending;
    this.pending = rest;
  }

  private refused(problem: Problem): void {
    const command = problem.id ? this.pending[problem.id] : undefined;
    if (command?.do === "act") this.acted = { ...this.acted, [command.seat]: -1 };
    if (problem.id) this.settle(problem.id);
    if (isLasting(problem.code)) void this.end(problem);
    else this.problem = problem;
    if (problem.code === "who-are-you") void this.lookWhoIAm();
  }

  private async readChat(): Promise<void> {
    if (!this.mayTalk) return;
    try {
      const feed = await api.chat(this.id);
      this.hear(feed.messages.filter((message): message is Said => message.type === "said"));
    } catch {
      // the chat comes with the next message
    }
  }

  private hear(messages: Said[]): void {
    const all = new Map([...this.said, ...messages].map((message) => [message.number, message]));
    this.said = [...all.values()].sort((a, b) => a.number - b.number);
  }
}
