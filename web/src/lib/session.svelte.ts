/** Who I am for the server, what can be played, and the words that the engine has for it. */
import { api, type GameMessages, type ServerMessages } from "./api";
import { currentLanguage } from "./i18n.svelte";
import { eventSentences } from "./words";
import type { AnyEvent } from "./board";
import type { Announcement, Catalogue, GameInfo, Me } from "./wire";

class Session {
  /** Null until the server was asked; its id is null as long as this browser is nobody for the server. */
  me = $state.raw<Me | null>(null);
  /** While this person is being deleted: the end of their lines needs no words then. */
  isLeaving = false;
  catalogue = $state.raw<Catalogue | null>(null);
  private words = $state.raw<Partial<Record<string, ServerMessages>>>({});
  private asked = new Set<string>();

  private loading: Promise<void> | null = null;

  /** Asks once, however many want to know; a failure is asked again. */
  load(): Promise<void> {
    this.loading ??= api.catalogue().then(
      (found) => void (this.catalogue = found),
      (error: unknown) => {
        this.loading = null;
        throw error;
      },
    );
    return this.loading;
  }

  /** Some games may still be compiled when the server has just started. */
  reload(): Promise<void> {
    this.loading = null;
    return this.load();
  }

  /** The operator said something to everybody, or no longer does. */
  announced(announcement: Announcement | null): void {
    if (this.catalogue) this.catalogue = { ...this.catalogue, announcement };
  }

  /** Whether the server knows this browser: it does from the first thing on that somebody does here. */
  get isKnown(): boolean {
    return Boolean(this.me?.id);
  }

  /** Asks the server who this browser is. */
  async who(): Promise<Me> {
    this.me = await api.me();
    return this.me;
  }

  /** Makes sure that the server knows this browser, so that it may speak. */
  async become(name: string): Promise<void> {
    if (!this.isKnown && !(await this.who()).id) this.me = await api.rename(name);
  }

  forgetMe(): void {
    this.me = null;
  }

  game(name: string): GameInfo | undefined {
    return this.catalogue?.games.find((game) => game.name === name);
  }

  title(name: string): string {
    return this.game(name)?.title.split(":")[0] ?? name;
  }

  /** The engine's catalogues in the language of the page; empty until they have come. */
  shared(): GameMessages {
    return this.messages()?.shared ?? {};
  }

  /** One sentence about a game. */
  about(game: string): string {
    return this.messages()?.games[game]?.about?.tagline ?? "";
  }

  /** What events tell; the seat is called "you". */
  sentences(game: string, events: readonly AnyEvent[], names: string[], seat: number | null = null): string[] {
    const messages = this.messages()?.games[game] ?? {};
    return eventSentences(events, { messages, shared: this.shared(), names, seat });
  }

  refusal(game: string, key: string): string | undefined {
    return this.messages()?.games[game]?.refusals?.[key];
  }

  /** The text of an option by its key: the game's own, or what all games share. */
  optionText(game: string, key: string): string | undefined {
    return this.messages()?.games[game]?.options?.[key] ?? this.shared().options?.[key];
  }

  async loadWords(language: string = currentLanguage()): Promise<void> {
    if (this.asked.has(language)) return;
    this.asked.add(language);
    try {
      this.words = { ...this.words, [language]: await api.messages(language) };
    } catch {
      this.asked.delete(language);
    }
  }

  private messages(): ServerMessages | undefined {
    return this.words[currentLanguage()] ?? this.words.en;
  }
}

export const session = new Session();
