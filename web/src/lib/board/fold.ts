/** Views forwards and backwards along the changes that events tell. Knows no game; the same as `core/fold.py`. */
/** What is needed of an event: whatever else it tells, this is what it changes. */
type Told = object;
type Path = readonly (string | number)[];
/** ["add", path, n], ["set", path, before, after], ["insert", path, index, value] or ["remove", path, index, value]. */
export type Change = readonly [kind: string, path: Path, ...values: unknown[]];

/** The view after these events. */
export const fold = <V>(view: V, events: readonly Told[]): V => events.flatMap(changesOf).reduce(changed<V>, view);

/** The view before these events. */
export const unfold = <V>(view: V, events: readonly Told[]): V =>
  events
    .flatMap(changesOf)
    .reverse()
    .map(inverse)
    .reduce(changed<V>, view);

/** The view before these events were seen, so that numbers can follow what is still on its way. Facts are shown at once. */
export const before = <V>(view: V, unseen: readonly Told[]): V =>
  unfold(
    view,
    unseen.filter((event) => (event as { event?: string }).event !== "facts"),
  );

const changesOf = (event: Told): readonly Change[] => (event as { changes?: readonly Change[] }).changes ?? [];

/** What did not change is shared with the view before. */
function changed<V>(view: V, [kind, path, ...values]: Change): V {
  const at = (part: unknown, depth: number): unknown => {
    if (depth === path.length) return applied(part, kind, values);
    const copy = (Array.isArray(part) ? [...(part as unknown[])] : { ...(part as object) }) as Record<string, unknown>;
    const key = path[depth] as string;
    copy[key] = at(copy[key], depth + 1);
    return copy;
  };
  return at(view, 0) as V;
}

function applied(part: unknown, kind: string, [first, second]: unknown[]): unknown {
  if (kind === "add") return (part as number) + (first as number);
  if (kind === "set") return second;
  const list = [...(part as unknown[])];
  if (kind === "insert") list.splice(first as number, 0, second);
  else list.splice(first as number, 1);
  return list;
}

function inverse([kind, path, first, second]: Change): Change {
  if (kind === "add") return [kind, path, -(first as number)];
  if (kind === "set") return [kind, path, second, first];
  return [kind === "insert" ? "remove" : "insert", path, first, second];
}
