/** Who I am for the server, what can be played, and the words that the engine has for it. */
import { api, type GameMessages, type ServerMessages } from "$lib/net/api";
import { currentLanguage } from "$lib/text/i18n.svelte";
import { eventSentences } from "$lib/text/words";
import type { AnyEvent } from "$lib/board/board";
import type { Announcement, Catalogue, GameInfo, Me } from "$lib/wire";

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

  /** Whether the server knows this browser: it does from the first thing that they do here. */
  get isKnown(): boolean {
    return Boolean(this.me?.id);
  }

  /** Asks the server who this browser is. An older answer does not undo a name that was given meanwhile. */
  async who(): Promise<Me> {
    const before = this.me;
    const found = await api.me();
    if (this.me === before) this.me = found;
    return this.me ?? found;
  }

  /** Makes sure that the server knows this browser, so that it may speak. */
  async become(name: string): Promise<void> {
    if (!this.isKnown && !(await this.who()).id) this.me = await api.rename(name);
  }

  /** How many positions are due to be practiced, as another page has learned. */
  noteDue(count: number): void {
    if (this.me && this.me.due !== count) this.me = { ...this.me, due: count };
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

  /** The engine's catalogs in the language of the page; empty until they have come. */
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

  /** The name of a part of the score, of a round (by its number or its key) or of a tie-break. */
  scoring(game: string, name: string): string {
    const [key = "", of = ""] = name.split(":");
    const found = /^\d+$/.test(key) ? "round" : key;
    const text = this.messages()?.games[game]?.scoring?.[found] ?? this.shared().scoring?.[found] ?? key;
    return text.replace("{of}", of).replace("{number}", key);
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

  messages(): ServerMessages | undefined {
    return this.words[currentLanguage()] ?? this.words.en;
  }
}

export const session = new Session();
