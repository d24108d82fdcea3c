// Makes src/lib/wire/types.ts, and view.ts of each board, out of the JSON Schemas that `make schemas` writes. With --check it only compares.
import { compile } from "json-schema-to-typescript";
import { readFile, readdir, writeFile } from "node:fs/promises";

const SCHEMAS = new URL("../../docs/schemas/", import.meta.url);
const WIRE = new URL("../src/lib/wire/types.ts", import.meta.url);
const BOARDS = new URL("../src/boards/", import.meta.url);
const HEAD = "/* Made by `npm run types` from docs/schemas; do not edit. */\n";

const names = (await readdir(SCHEMAS)).filter((name) => name === "wire.json" || /^view-.*\.json$/.test(name));
const check = process.argv.includes("--check");
let stale = 0;

for (const name of names) {
  const schema = JSON.parse(await readFile(new URL(name, SCHEMAS), "utf8"), openDictionaries);
  const options = {
    bannerComment: HEAD,
    additionalProperties: false,
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    format: true,
  };
  const text = tidy(await compile(schema, schema.title ?? name, { ...options, style: { printWidth: 120 } }));
  const game = schema.$defs?.View?.properties.game.const;
  const target = game ? new URL(`${game}/view.ts`, BOARDS) : WIRE;
  if (!check) await writeFile(target, text);
  else if (text !== (await readFile(target, "utf8").catch(() => ""))) {
    console.error(`${target.pathname} is not what \`npm run types\` writes`);
    stale += 1;
  }
}

/** An object without named properties is a dictionary of anything. */
function openDictionaries(_key, value) {
  const isDictionary = value?.type === "object" && !value.properties && !value.additionalProperties;
  return isDictionary ? { ...value, additionalProperties: true } : value;
}

/** Leaves out what the tool says about its own work. */
function tidy(text) {
  const noise =
    /( \*\n)? \* This (interface|type) was referenced by `.*`'s JSON-Schema\n \* via the `definition` ".*"\.\n/g;
  const top = /export interface LampionWire \{\n[^}]*\}\n/;
  return text
    .replace(noise, "")
    .replace(top, "")
    .replace(/\/\*\*\n \*\/\n/g, "");
}

process.exitCode = stale ? 1 : 0;
