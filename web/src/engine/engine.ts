/**
 * The rules and the search of a game as WebAssembly, made from the same Python as the server's.
 *
 * A task says all that a seat knows and how to search (`lampion.bots.task`). With the same task every machine grows the same
 * tree, bit by bit, so what a browser finds is what the server would have found.
 */

export interface Task {
  game: string;
  /** The stamp of the module that this task is for. */
  engine: string;
  seat: number;
  players: number;
  state: string;
  legal: number[];
  settings: string;
  weights: string;
  weights_shape: [number, number];
  seed: string;
  iterations: number;
  num_actions: number;
  num_nodes: number;
  max_depth: number;
  node_bytes: number;
  visits_at: number;
  value_at: number;
  exact: Exact | null;
}

/** How to solve the rest of the game, where it looks small enough. */
export interface Exact {
  /** In the order in which the solver looks at them. */
  moves: number[];
  guesses: number;
  most_nodes: number;
  settings: string;
  /** Of the time, after which the rest is left to the search. */
  share: number;
  max_levels: number;
  level_bytes: number;
  progress_bytes: number;
  /** Where the progress keeps how many positions have been looked at, a 64-bit int. */
  nodes_at: number;
}

export interface Found {
  /** The root moves, best first. */
  actions: number[];
  visits: number[];
  /** The mean utility of each, 0 to 1. */
  values: number[];
  iterations: number;
}

interface Doors {
  memory: WebAssembly.Memory;
  __heap_base: WebAssembly.Global;
  evaluate_moves(...given: number[]): void;
  plant_root(...given: number[]): void;
  run_iterations(...given: number[]): void;
  solve_moves(...given: number[]): number;
}

const PAGE = 65536;
const NO_LIMIT = 2 ** 31 - 1;
const SOLVED = 0;
const NOT_YET = -2;
/** Iterations between two looks at the clock: a few milliseconds. */
const CHUNK = 25;
/** Positions that the solver looks at between two looks at the clock: a few milliseconds. */
const SOLVER_CHUNK = 10_000;

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
}

/** Where the arrays of one search lie in the module's memory. */
class Room {
  private readonly doors: Doors;
  private next: number;

  constructor(doors: Doors) {
    this.doors = doors;
    this.next = doors.__heap_base.value as number;
  }

  /** An address with room for so many bytes, all zero; every kind of number may lie there. */
  take(size: number): number {
    const start = Math.ceil(this.next / 16) * 16;
    this.next = start + size;
    const missing = this.next - this.doors.memory.buffer.byteLength;
    if (missing > 0) this.doors.memory.grow(Math.ceil(missing / PAGE));
    new Uint8Array(this.doors.memory.buffer, start, size).fill(0);
    return start;
  }

  put(bytes: Uint8Array): number {
    const start = this.take(bytes.length);
    new Uint8Array(this.doors.memory.buffer, start, bytes.length).set(bytes);
    return start;
  }
}

/** One search, which can go on for as long as the caller wants. */
export class Search {
  private readonly task: Task;
  private readonly doors: Doors;
  private readonly view: () => DataView;
  private readonly moves: number[];
  private readonly nodes: number;
  private readonly used: number;
  private readonly results: number;
  private readonly given: number[];
  private done = 0;

  constructor(module: WebAssembly.Module, task: Task) {
    this.task = task;
    this.doors = new WebAssembly.Instance(module, {}).exports as unknown as Doors;
    this.view = () => new DataView(this.doors.memory.buffer);
    const room = new Room(this.doors);
    const state = bytesOf(task.state);
    const root = room.put(state);
    const states = room.take(2 * state.length);
    const weights = room.put(bytesOf(task.weights));
    const settings = room.put(bytesOf(task.settings));
    const rng = room.put(new Uint8Array(new BigUint64Array([BigInt(task.seed)]).buffer));
    const legal = room.put(new Uint8Array(Int32Array.from(task.legal).buffer));
    const [rows, columns] = task.weights_shape;
    const count = task.legal.length;
    const priors = room.take(8 * count);
    const network = [weights, rows, columns, settings, 1];
    this.doors.evaluate_moves(root, 1, states, 2, task.seat, legal, count, ...network, priors, count, rng, 1);
    const order = this.bestFirst(priors, count);
    this.moves = order.map((k) => task.legal[k]!);
    this.nodes = room.take(task.node_bytes * task.num_nodes);
    this.used = room.take(4);
    this.results = room.take(8);
    const moves = room.put(new Uint8Array(Int32Array.from(this.moves).buffer));
    const sorted = Float64Array.from(order, (k) => this.view().getFloat64(priors + 8 * k, true));
    const inOrder = room.put(new Uint8Array(sorted.buffer));
    this.doors.plant_root(root, 1, this.nodes, task.num_nodes, this.used, 1, task.seat, moves, count, inOrder, count);
    const path = room.take(4 * task.max_depth);
    const scratch = room.take(4 * task.num_actions);
    const utilities = room.take(8 * task.players);
    const totals = room.take(8 * 3 * task.players);
    const stop = room.take(1);
    this.given = [
      root,
      1,
      states,
      2,
      this.nodes,
      task.num_nodes,
      this.used,
      1,
      task.seat,
      path,
      task.max_depth,
      scratch,
    ];
    this.given.push(task.num_actions, utilities, task.players, totals, task.players, 3, ...network, rng, 1, stop, 1);
  }

  /** Equal ones stay in order, as they do for the server. */
  private bestFirst(priors: number, count: number): number[] {
    const values = Array.from({ length: count }, (_, k) => this.view().getFloat64(priors + 8 * k, true));
    return values.map((_, k) => k).sort((a, b) => values[b]! - values[a]!);
  }

  /** Search on; true when there is nothing left to do. */
  run(iterations: number): boolean {
    const wanted = Math.min(iterations, this.task.iterations - this.done);
    this.doors.run_iterations(...this.given, wanted, NO_LIMIT, this.results);
    const did = this.view().getInt32(this.results, true);
    this.done += did;
    return this.done >= this.task.iterations || did < wanted;
  }

  found(): Found {
    const view = this.view();
    const at = (k: number) => this.nodes + (k + 1) * this.task.node_bytes;
    const visits = this.moves.map((_, k) => view.getInt32(at(k) + this.task.visits_at, true));
    const values = this.moves.map(
      (_, k) => view.getFloat64(at(k) + this.task.value_at, true) / Math.max(visits[k]!, 1),
    );
    const order = this.moves.map((_, k) => k).sort((a, b) => visits[b]! - visits[a]! || values[b]! - values[a]!);
    const inOrder = <T>(list: T[]) => order.map((k) => list[k]!);
    return { actions: inOrder(this.moves), visits: inOrder(visits), values: inOrder(values), iterations: this.done };
  }

  /** All bytes of the tree, for tests. */
  tree(): Uint8Array {
    const size = this.view().getInt32(this.used, true) * this.task.node_bytes;
    return new Uint8Array(this.doors.memory.buffer, this.nodes, size).slice();
  }
}

/** The rest of the game played exactly; nothing where it is too large after all, or the time is over. */
export function solve(module: WebAssembly.Module, task: Task, exact: Exact, end = Infinity): Found | null {
  const doors = new WebAssembly.Instance(module, {}).exports as unknown as Doors;
  const room = new Room(doors);
  const state = bytesOf(task.state);
  const count = exact.moves.length;
  const root = room.put(state);
  const states = room.take(exact.max_levels * state.length);
  const moves = room.put(new Uint8Array(Int32Array.from(exact.moves).buffer));
  const table = () => [room.take(4 * exact.max_levels * task.num_actions), exact.max_levels, task.num_actions];
  const given = [root, 1, states, exact.max_levels, task.seat, moves, count, exact.guesses, ...table(), ...table()];
  given.push(room.take(exact.max_levels * exact.level_bytes), exact.max_levels);
  given.push(room.put(bytesOf(exact.settings)), 1);
  given.push(room.put(new Uint8Array(new BigUint64Array([BigInt(task.seed)]).buffer)), 1);
  const progress = room.take(exact.progress_bytes);
  const values = room.take(8 * count);
  const view = () => new DataView(doors.memory.buffer);
  let outcome = NOT_YET;
  while (outcome === NOT_YET) {
    const left = exact.most_nodes - Number(view().getBigInt64(progress + exact.nodes_at, true));
    if (left <= 0 || performance.now() >= end) return null;
    outcome = doors.solve_moves(...given, Math.min(left, SOLVER_CHUNK), 0, progress, 1, values, count);
  }
  return outcome === SOLVED ? bestOf(exact, values, view()) : null;
}

/** What the solver says about the moves; equal ones stay in order. */
function bestOf(exact: Exact, values: number, view: DataView): Found {
  const found = exact.moves.map((_, k) => view.getFloat64(values + 8 * k, true));
  const order = found.map((_, k) => k).sort((a, b) => found[b]! - found[a]!);
  return {
    actions: order.map((k) => exact.moves[k]!),
    visits: order.map((_, place) => (place === 0 ? 1 : 0)),
    values: order.map((k) => found[k]!),
    iterations: 0,
  };
}

/** Solve the rest of the game, or search until the task is done or the time is over. */
export function search(module: WebAssembly.Module, task: Task, milliseconds: number): Found {
  const start = performance.now();
  const end = start + milliseconds;
  const solved = task.exact && solve(module, task, task.exact, start + task.exact.share * milliseconds);
  if (solved) return solved;
  const searching = new Search(module, task);
  while (!searching.run(CHUNK) && performance.now() < end);
  return searching.found();
}
