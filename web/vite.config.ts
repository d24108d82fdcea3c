import { svelte } from "@sveltejs/vite-plugin-svelte";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin, Rolldown } from "vite";
import { defineConfig } from "vitest/config";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// The server of `lampion serve` answers /api while `npm run dev` serves the sources.
const SERVER = process.env.LAMPION_SERVER ?? "http://127.0.0.1:8000";

// What the first page imports, by folder. Modules that only tables, replays or dialogs need stay out of it.
const FIRST_PAGE = new RegExp(
  [
    "/node_modules/(svelte|esm-env|clsx)/",
    "/src/(art|styles)/",
    "/src/lib/text/(?!markdown)",
    "/src/lib/page/(?!keepfocus)",
    "/src/lib/net/(api|base|invitations)\\.",
    "/src/lib/person/session\\.",
    "/src/lib/device/(badge|preferences|version|visit)\\.",
    "/src/lib/table/(start|tables)\\.",
    "/src/lib/record/finish\\.",
    "/src/lib/board/board\\.",
    "/src/learn/points\\.",
    "/src/parts/(Choice|GameCard|Icon|Note|TableList|Told|TopBar)\\.svelte",
    "/src/boards/[^/]*/Cover\\.svelte",
  ].join("|"),
);
const isOfTheFirstPage = (id: string): boolean => FIRST_PAGE.test(id);

// Scripts and styles find each other by relative addresses, so that the client can live in any folder of a site. The page
// itself is shown at many addresses: its own must be absolute, and the server puts the folder before them.
const absolutePage: Plugin = {
  name: "absolute-page",
  apply: "build",
  transformIndexHtml: { order: "post", handler: (page) => page.replaceAll('="./', '="/') },
};

// The service worker keeps what the app needs to start without a line: its first page, the rules and the replays. It is written as a
// file of a fixed name beside the page, and told the names of those files, which change with what is in them.
const WORKER = "sw.js";
const OFFLINE = /\/src\/(pages\/(Rules|Replay)|parts\/(Offline|Rulebook))\.svelte$/;
const serviceWorker: Plugin = {
  name: "service-worker",
  apply: "build",
  generateBundle(_, bundle) {
    const worker = bundle[WORKER];
    if (worker?.type !== "chunk") this.error("there is no service worker");
    const build = createHash("sha256").update(Object.keys(bundle).sort().join()).digest("hex").slice(0, 12);
    worker.code = worker.code
      .replace("__SHELL__", JSON.stringify(shellOf(bundle).sort()))
      .replace("__BUILD__", JSON.stringify(build));
  },
};

/** The stamps of the WebAssembly modules beside which this client is built, by game. */
function engineStamps(): Record<string, string> {
  const folder = here("./public/engine");
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".stamp")) : [];
  return Object.fromEntries(
    names.map((name) => [name.replace(/\.stamp$/, ""), readFileSync(`${folder}/${name}`, "utf8").trim()]),
  );
}

/** The page, what is shown without a line, and everything that these import. */
function shellOf(bundle: Rolldown.OutputBundle): string[] {
  const found = new Set<string>();
  const take = (name: string): void => {
    const chunk = bundle[name];
    if (found.has(name) || chunk?.type !== "chunk") return;
    found.add(name);
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
    chunk.imports.forEach(take);
  };
  for (const chunk of Object.values(bundle)) {
    if (chunk.type !== "chunk" || chunk.fileName === WORKER) continue;
    if (chunk.isEntry || OFFLINE.test(chunk.facadeModuleId ?? "")) take(chunk.fileName);
  }
  return [...found];
}

export default defineConfig({
  base: "./",
  define: { __ENGINES__: JSON.stringify(engineStamps()) },
  plugins: [svelte(), absolutePage, serviceWorker],
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
      input: { index: here("./index.html"), sw: here("./src/serviceworker/sw.ts") },
      output: {
        entryFileNames: ({ name }) => (name === "sw" ? WORKER : "assets/[name]-[hash].js"),
        // What the home page needs comes in one piece: fourteen small ones would take fourteen requests.
        codeSplitting: { groups: [{ name: "base", test: isOfTheFirstPage, minShareCount: 2 }] },
      },
    },
  },
  // Machines that run tests may be busy: nothing here is meant to last, and nothing fails for being slow.
  test: { include: ["src/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 },
});
