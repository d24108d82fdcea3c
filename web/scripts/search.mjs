/**
 * Solves tasks from standard input, one JSON document a line, with the engine as the browser has it: prints the moves, the visits
 * and a hash of the tree. Usage: node search.mjs FOLDER-WITH-WASM [MILLISECONDS] < tasks
 * With a time it prints what the page would get after it.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Search, search, solve } from "../src/engine/engine.ts";

const [folder, milliseconds] = process.argv.slice(2);
for await (const line of createInterface({ input: process.stdin })) {
  const task = JSON.parse(line);
  const module = new WebAssembly.Module(readFileSync(`${folder}/${task.game}.wasm`));
  if (milliseconds !== undefined) {
    console.log(JSON.stringify(search(module, task, Number(milliseconds))));
    continue;
  }
  const solved = task.exact && solve(module, task, task.exact);
  if (solved) {
    const { actions, visits, values } = solved;
    console.log(JSON.stringify({ actions, visits, values, tree: createHash("sha256").digest("hex") }));
    continue;
  }
  const searching = new Search(module, task);
  const start = process.cpuUsage().user;
  while (!searching.run(25));
  const seconds = (process.cpuUsage().user - start) / 1e6;
  const { actions, visits } = searching.found();
  const tree = createHash("sha256").update(searching.tree()).digest("hex");
  console.log(JSON.stringify({ actions, visits, tree, iterations_per_second: task.iterations / seconds }));
}
