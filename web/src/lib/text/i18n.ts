/** The front door of the texts. */
export {
  currentLanguage,
  LANGUAGES,
  listOf,
  loadTexts,
  setLanguage,
  startLanguage,
  t,
  textsOf,
  type Language,
} from "./i18n.svelte";
export type { Values } from "./format";
