/** A guide being followed: its lessons, where the learner is, and what the present position is. The server plays the rules. */
import { api } from "$lib/net/api";
import type { AnyEvent } from "$lib/board/board";
import { preferences, remember } from "$lib/device/preferences.svelte";
import type { Lesson, LessonPosition, LessonStep } from "$lib/wire";

/** What the guide says to an action that it did not ask for, with what that would have done. */
export interface Reaction {
  kind: "other" | "read-on";
  events: AnyEvent[];
}

export class Guide {
  /** Places in `lessons` and in the steps of the lesson. */
  at = $state(0);
  step = $state(0);
  position = $state.raw<LessonPosition | null>(null);
  /** The events of the last thing that was done; none after a reload. */
  recent = $state.raw<AnyEvent[]>([]);
  reaction = $state.raw<Reaction | null>(null);
  /** The action that the learner asked to be shown. */
  shown = $state<string | null>(null);
  waiting = $state(false);
  private done: string[] = [];

  constructor(
    readonly game: string,
    readonly lessons: readonly Lesson[],
  ) {}

  get lesson(): Lesson {
    return this.lessons[this.at]!;
  }

  get current(): LessonStep {
    return this.lesson.steps[this.step]!;
  }

  get isLastStep(): boolean {
    return this.step === this.lesson.steps.length - 1;
  }

  get isLast(): boolean {
    return this.isLastStep && this.at === this.lessons.length - 1;
  }

  /** Begins where this browser left off, or at the beginning. */
  async begin(): Promise<void> {
    const left = preferences.guides[this.game];
    const at = this.lessons.findIndex(({ name }) => name === left?.lesson);
    if (!left || at < 0) return this.open(0);
    try {
      this.position = await api.lesson(this.game, left.lesson, left.done);
      [this.at, this.done] = [at, left.done];
      this.step = Math.min(left.step, this.lesson.steps.length - 1);
    } catch {
      await this.open(at); // the lesson has changed since
    }
  }

  /** A lesson from its beginning. */
  async open(at: number): Promise<void> {
    const lesson = this.lessons[at];
    if (!lesson) return;
    this.position = await api.lesson(this.game, lesson.name, []);
    [this.at, this.step, this.done, this.recent] = [at, 0, [], []];
    this.turnPage();
  }

  /** Reads on; behind the last step comes the next lesson. */
  async next(): Promise<void> {
    if (this.isLastStep) return this.open(this.at + 1);
    this.step += 1;
    this.turnPage();
  }

  /** Does what was asked for. Anything else is answered, and leaves the position as it is. */
  async act(action: string): Promise<void> {
    if (!this.position || this.waiting) return;
    const task = this.lesson.steps.findIndex((step, index) => index >= this.step && step.waits);
    if (task < 0 || !this.position.wanted.includes(action)) {
      const events = (this.position.previews[action] ?? []) as unknown as AnyEvent[];
      this.reaction = { kind: task < 0 ? "read-on" : "other", events };
      return;
    }
    this.waiting = true;
    try {
      const done = [...this.done, action];
      const position = await api.lesson(this.game, this.lesson.name, done);
      this.recent = position.steps.flatMap((step) => step.events) as unknown as AnyEvent[];
      [this.position, this.done] = [position, done];
      this.step = Math.min(task + 1, this.lesson.steps.length - 1);
      this.turnPage();
    } finally {
      this.waiting = false;
    }
  }

  /** Marks an action on the board that would do; asked again, it is done. */
  async help(): Promise<void> {
    const [action] = this.position?.wanted ?? [];
    if (!action) return;
    this.reaction = null;
    if (this.shown === action) await this.act(action);
    else this.shown = action;
  }

  private turnPage(): void {
    this.reaction = null;
    this.shown = null;
    const place = { lesson: this.lesson.name, step: this.step, done: this.done };
    remember({ guides: { ...preferences.guides, [this.game]: place } });
  }

  /** The guide has been finished: the next time it starts again. */
  forget(): void {
    const { [this.game]: _ended, ...others } = preferences.guides;
    remember({ guides: others });
  }
}
