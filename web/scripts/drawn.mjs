/** Prints the drawn examples of all rulebooks as one JSON document (src/examples/drawn.ts). Usage: node scripts/drawn.mjs, in `web`. */
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

globalThis.document ??= { documentElement: {} }; // the client writes the language there

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const server = await createServer({
  root: here(".."),
  configFile: false,
  appType: "custom",
  logLevel: "error",
  plugins: [svelte({ configFile: false, compilerOptions: { css: "injected" }, emitCss: false })],
  resolve: { alias: { $lib: here("../src/lib"), $art: here("../src/art") } },
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  optimizeDeps: { noDiscovery: true, include: [] },
});
try {
  const { drawn } = await server.ssrLoadModule("/src/examples/drawn.ts");
  process.stdout.write(JSON.stringify(await drawn()));
} finally {
  await server.close();
}
