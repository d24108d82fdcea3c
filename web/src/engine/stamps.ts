/** The engines that this build of the client was made with: the stamp of each game's WebAssembly module (`vite.config.ts`). */
declare const __ENGINES__: Record<string, string>;

export const stamps: Record<string, string> = __ENGINES__;
