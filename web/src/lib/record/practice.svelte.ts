/** The decisions that I practice, and which comes next. The server says what is due, by its own clock. */
import { SvelteSet } from "svelte/reactivity";
import { api } from "$lib/net/api";
import type { Exercise, ExerciseAnswered, Practice } from "$lib/wire";

export class PracticeList {
  exercises = $state.raw<readonly Exercise[]>([]);
  /** The time of the server when it was last asked; null until then. */
  now = $state<number | null>(null);
  /** What was put off in this session. */
  private skipped = new SvelteSet<string>();

  readonly due = $derived(this.exercises.filter((one) => this.isDue(one)));
  /** The first that will be due. */
  readonly upcoming = $derived(this.exercises.find((one) => !one.suspended && !this.isDue(one)) ?? null);

  isDue({ suspended, due_ms }: Exercise): boolean {
    return !suspended && this.now !== null && due_ms <= this.now;
  }

  async load(): Promise<void> {
    this.set(await api.practice());
  }
  set({ exercises, now_ms }: Practice): void {
    this.exercises = exercises;
    this.now = now_ms;
  }

  /** The next one that is due, behind `id`; null when there is none but what was skipped. */
  next(id: string | null = null): string | null {
    return this.due.find((one) => one.id !== id && !this.skipped.has(one.id))?.id ?? null;
  }
  /** From the first that is due, skipped or not. */
  first(): string | null {
    this.skipped.clear();
    return this.next();
  }
  skip(id: string): string | null {
    this.skipped.add(id);
    return this.next(id);
  }

  answered({ exercise, now_ms }: ExerciseAnswered): void {
    this.now = now_ms;
    const others = this.exercises.filter((one) => one.id !== exercise.id);
    this.exercises = [...others, exercise].sort(
      (a, b) => a.due_ms - b.due_ms || a.kept_ms - b.kept_ms || a.ply - b.ply,
    );
  }
  removed(id: string): void {
    this.exercises = this.exercises.filter((one) => one.id !== id);
  }
}
