/**
 * Plays whole games through the doors of WebAssembly, from records on standard input, one JSON document a line; prints the
 * actions and a hash of the last record. Usage: node game.mjs FOLDER-WITH-WASM < records
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [folder] = process.argv.slice(2);
const CHANCE = -1;

function play({ game, state, seed, num_actions }) {
  const doors = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(`${folder}/${game}.wasm`))).exports;
  const record = Buffer.from(state, "base64");
  const start = doors.__heap_base.value;
  const legal = Math.ceil((start + record.length) / 16) * 16;
  const rng = Math.ceil((legal + 4 * num_actions) / 16) * 16;
  doors.memory.grow(Math.ceil((rng + 8) / 65536));
  const bytes = (at, size) => new Uint8Array(doors.memory.buffer, at, size);
  bytes(start, record.length).set(record);
  new DataView(doors.memory.buffer).setBigUint64(rng, BigInt(seed), true);
  const actions = [];
  for (let actor = doors.to_act_at(start, 1, 0); actor >= CHANCE; actor = doors.to_act_at(start, 1, 0)) {
    const count = actor === CHANCE ? 0 : doors.legal_at(start, 1, 0, actor, legal, num_actions);
    const wanted = legal + 4 * ((actions.length * 7919) % Math.max(count, 1));
    const action =
      actor === CHANCE
        ? doors.sample_at(start, 1, 0, rng, 1)
        : new DataView(doors.memory.buffer).getInt32(wanted, true);
    doors.apply_at(start, 1, 0, actor, action);
    actions.push(action);
  }
  return { actions, state: createHash("sha256").update(bytes(start, record.length)).digest("hex") };
}

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(play(JSON.parse(line))));
