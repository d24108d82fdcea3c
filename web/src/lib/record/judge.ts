/** Judgments of decisions: the searches are made in this browser if it can, by the server if not. */
import type { Evidence, JudgementTask } from "../../engine";
import { api, Refusal } from "$lib/net/api";
import type { Judged, JudgementRequest } from "$lib/wire";

type Wanted = Required<Pick<JudgementRequest, "record" | "plies" | "language">>;
type Search = (task: JudgementTask) => Promise<Evidence>;

const inBrowser: Search = async (task) => (await import("../../engine")).judgeInBrowser(task);

export class Judge {
  /** A browser that failed once is not asked again. */
  private isAble = true;

  constructor(private readonly search: Search = inBrowser) {}

  async judge(wanted: Wanted): Promise<Judged[]> {
    const found = this.isAble ? await this.evidence(wanted) : [];
    return (await api.judgements(found.length ? { ...wanted, found } : wanted)).judged;
  }

  private async evidence({ record, plies }: Wanted): Promise<Evidence[]> {
    try {
      const { weights, tasks } = await api.judgementTasks(record, plies);
      const found: Evidence[] = [];
      for (const each of tasks) found.push(await this.search({ ...each, task: { ...each.task, weights } }));
      return found;
    } catch (problem) {
      // What the server refuses it would refuse again; anything else is a browser that cannot search.
      if (problem instanceof Refusal) throw problem;
      this.isAble = false;
      return [];
    }
  }
}
