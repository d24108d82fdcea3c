// Makes the searches behind judgments (one task per line of JSON) as a browser would, and prints what it found; with another
// word behind the folder, at last how long that took.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

// The client's sources name each other without endings, as its bundler allows.
registerHooks({
  resolve: (name, context, next) => next(/^\.\/\w+$/.test(name) ? `${name}.ts` : name, context),
});
const { evidenceFor } = await import("../src/engine/judging.ts");

const [folder, time] = process.argv.slice(2);
const begin = process.cpuUsage();
const modules = new Map();

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const wanted = JSON.parse(line);
  const { game } = wanted.task;
  if (!modules.has(game)) modules.set(game, new WebAssembly.Module(readFileSync(`${folder}/${game}.wasm`)));
  console.log(JSON.stringify(evidenceFor(modules.get(game), wanted)));
}
if (time) {
  const { user, system } = process.cpuUsage(begin);
  console.log((user + system) / 1e6); // processor seconds, with loading the module
}
