import type { Points } from "../../learn/points";

const CONFIRM = ".choice .main:enabled";
const light = (square: string): string => `[data-light="${square}"] > g:last-child`;
const HAND = ".faces, .held";

const points: Points = {
  "start.house": [".house"],
  "start.start": [CONFIRM, ".faces"],
  "start.hand": [HAND],
  "count.reach": ["[data-square='f1'], [data-square='a6']", ".house"],
  "count.place": [CONFIRM, "[data-square='f1'], [data-square='a6']"],
  "count.faces": [".house"],
  "light.rooms": ["section.rooms", ".folded button:first-child", ".house"],
  "light.light": [CONFIRM, ".house"],
  "light.lit": ["section.rooms", ".folded button:first-child", ".house"],
  "lead.lead": [CONFIRM, "[data-room='E']"],
  "lead.led": ["[data-room='E']"],
  "cover.over": [light("h5")],
  "cover.cover": [CONFIRM, "[data-square='h5']"],
  "cover.dead": [light("h5")],
  "home.right": [light("a1")],
  "home.home": [CONFIRM, "[data-square='a1']"],
  "home.spent": [light("a1")],
  "end.last": [HAND],
  "end.place": [CONFIRM, ".house"],
  "end.winner": [".ranking", "section.rooms"],
};

export default points;
