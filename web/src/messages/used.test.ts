/** Every text that the sources ask for by a plain key is in the English catalog. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import shell from "./en/shell.json";

const SOURCES = join(import.meta.dirname, "..");
const keys = new Set(Object.keys(shell).map((key) => key.replace(/#\w+$/, "")));

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "boards" || entry.name === "dev" ? [] : sources(path);
    return /\.(svelte|ts)$/.test(entry.name) && !entry.name.endsWith(".test.ts") ? [path] : [];
  });
}

it.each(["admin", "practice", "result", "review"])(
  "finds every text of the pages that have a file of their own: %s",
  (namespace) => {
    const own = JSON.parse(readFileSync(join(SOURCES, `messages/en/${namespace}.json`), "utf8")) as object;
    const known = new Set(Object.keys(own).map((key) => key.replace(/#\w+$/, "")));
    const files = sources(SOURCES).map((path) => readFileSync(path, "utf8"));
    const asking = files.filter((file) => file.includes(`text = textsOf("${namespace}")`));
    const wanted = asking.flatMap((file) => [...file.matchAll(/\btext\("([^"]+)"/g)].map((match) => match[1] ?? ""));
    expect(wanted.length).toBeGreaterThan(10);
    expect(wanted.filter((key) => !known.has(key))).toEqual([]);
  },
);

it("finds every text of the shell", () => {
  const missing = sources(SOURCES).flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/\bt\("([^"]+)"/g)]
      .map((match) => match[1] ?? "")
      .filter((key) => key !== "key" && !keys.has(key)),
  );
  expect(missing).toEqual([]);
});
