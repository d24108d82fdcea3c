// What the type checker does not see: promises that nobody waits for, values that are always true, mistakes in Svelte.
import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default ts.config(
  { ignores: ["dist/", "node_modules/", "public/", "scripts/", "src/lib/wire/types.ts", "src/boards/*/view.ts"] },
  js.configs.recommended,
  ...ts.configs.recommendedTypeChecked,
  ...svelte.configs.recommended,
  {
    languageOptions: {
      globals: { ...globals.browser, ...globals.node },
      parserOptions: { projectService: true, extraFileExtensions: [".svelte"] },
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: { "@typescript-eslint/no-unnecessary-type-assertion": "off" },
  },
  {
    rules: {
      // Types of components are svelte-check's to judge: here they are all `any`.
      "@typescript-eslint/no-redundant-type-constituents": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      "svelte/no-unused-svelte-ignore": "off",
      // Properties of components are written as methods and taken out of `$props()`.
      "@typescript-eslint/unbound-method": "off",
      // {" "} keeps a space at the start of a block, where Svelte drops it.
      "svelte/no-useless-mustaches": "off",
      // Sets and maps inside a calculation are not state.
      "svelte/prefer-svelte-reactivity": "off",
      "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_", argsIgnorePattern: "^_" }],
    },
  },
  {
    // The only raw markup: our own drawings, a QR code, and the rulebook, whose HTML is made with raw HTML refused.
    files: [
      "src/art/Definitions.svelte",
      "src/boards/*/Pieces.svelte",
      "src/parts/Rulebook.svelte",
      "src/parts/Share.svelte",
    ],
    rules: { "svelte/no-at-html-tags": "off" },
  },
  {
    // Each component makes the type checker read the whole project again, which takes minutes: `make nightly` does.
    files: process.env.LAMPION_LINT_TYPES ? ["*.js"] : ["*.js", "**/*.svelte"],
    ...ts.configs.disableTypeChecked,
  },
);
