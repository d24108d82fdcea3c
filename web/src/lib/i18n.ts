/** The front door of the texts. */
export {
  currentLanguage,
  LANGUAGES,
  loadTexts,
  setLanguage,
  startLanguage,
  t,
  textsOf,
  type Language,
} from "./i18n.svelte";
export type { Values } from "./format";
