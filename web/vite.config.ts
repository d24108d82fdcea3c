import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// The server of `lampion serve` answers /api while `npm run dev` serves the sources.
const SERVER = process.env.LAMPION_SERVER ?? "http://127.0.0.1:8000";

const FIRST_PAGE =
  /\/node_modules\/(svelte|esm-env|clsx)\/|\/src\/(art|styles)\/|\/src\/lib\/(?!table|connection|line|socketline|pollingline|tries|backoff|seatline|pacing|hotseat|hints|replay|fairness|markdown|newtable|sound|notify)|\/src\/parts\/(Choice|Icon|TableList|GameCard|Note|TopBar)\.svelte|\/src\/boards\/[^/]*\/Cover\.svelte/;
const isOfTheFirstPage = (id: string): boolean => FIRST_PAGE.test(id);

// Scripts and styles find each other by relative addresses, so that the client can live in any folder of a site. The page
// itself is shown at many addresses: its own must be absolute, and the server puts the folder before them.
const absolutePage: Plugin = {
  name: "absolute-page",
  apply: "build",
  transformIndexHtml: { order: "post", handler: (page) => page.replaceAll('="./', '="/') },
};

export default defineConfig({
  base: "./",
  plugins: [svelte(), absolutePage],
  resolve: { alias: { $lib: here("./src/lib"), $art: here("./src/art") } },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": { target: SERVER, ws: true } }, // the server compares origin and host, so the host stays
  },
  build: {
    outDir: process.env.LAMPION_STATIC ?? here("../src/lampion/server/static"),
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the server's content policy allows no data: addresses for fonts and scripts
    rolldownOptions: {
      input: here("./index.html"),
      // What the home page needs comes in one piece: fourteen small ones would take fourteen requests.
      output: { codeSplitting: { groups: [{ name: "base", test: isOfTheFirstPage, minShareCount: 2 }] } },
    },
  },
  test: { include: ["src/**/*.test.ts"] },
});
