/** What decided a game, in sentences that follow from its log. */
import { listOf, textsOf } from "$lib/text/i18n";
import type { Finish } from "./finish";
import type { Scorebook } from "$lib/wire";

export interface Decided {
  sentence: string;
  /** Where in the replay it can be seen: the position before it. */
  ply: number | null;
}

const text = textsOf("result");

/** `words` gives the name of a round or a tie-break. */
export function decidedBy(scorebook: Scorebook, finish: Finish, words: (key: string) => string): Decided[] {
  return [
    ...finish.early.map((sentence) => ({ sentence, ply: null })),
    ...tieBreak(scorebook, finish, words),
    ...lead(scorebook, finish, words),
    ...swing(scorebook, finish, words),
  ];
}

const nameOf = (finish: Finish, seat: number): string => finish.names[seat] ?? "";

function tieBreak(scorebook: Scorebook, finish: Finish, words: (key: string) => string): Decided[] {
  const { tie_break: tie } = scorebook;
  const told = (sentence: string): Decided[] => [{ sentence, ply: null }];
  if (finish.reason !== "played") return [];
  if (tie) {
    const names = listOf(tie.seats.map((seat) => nameOf(finish, seat)));
    const values = tie.seats.map((seat, index) => `${nameOf(finish, seat)} ${tie.values[index]}`).join(", ");
    const count = scorebook.scores[tie.seats[0] ?? 0] ?? 0;
    return told(text("decided.tie", { names, count, what: words(tie.what), values }));
  }
  if (finish.winners.length < 2) return [];
  return told(text("decided.shared", { names: listOf(finish.winners.map((seat) => nameOf(finish, seat))) }));
}

function lead(scorebook: Scorebook, finish: Finish, words: (key: string) => string): Decided[] {
  if (!scorebook.lead) return [];
  const { seat, round, changes, ply } = scorebook.lead;
  const since = text(round ? "decided.lead" : "decided.lead.always", {
    name: nameOf(finish, seat),
    round: words(round),
  });
  const how = changes ? text("decided.changes", { count: changes }) : text("decided.no-change");
  return [{ sentence: `${since} ${how}`, ply: Math.max(0, ply - 1) }];
}

function swing(scorebook: Scorebook, finish: Finish, words: (key: string) => string): Decided[] {
  if (!scorebook.swing) return [];
  const { seat, round, before, after, ply, equals } = scorebook.swing;
  const sentence = text(equals > 1 ? "decided.swing.last" : "decided.swing", {
    count: equals,
    name: nameOf(finish, seat),
    round: words(round),
    before: margin(before),
    after: margin(after),
  });
  return [{ sentence, ply: ply - 1 }];
}

function margin(ahead: number): string {
  const count = Math.abs(ahead);
  return text(ahead < 0 ? "margin.behind" : ahead > 0 ? "margin.ahead" : "margin.level", { count });
}
