import type { Points } from "../../learn/points";

const CONFIRM = ".foot .main:enabled";
const step = (kind: string): string => `.steps [data-step="${kind}"]:enabled`;
const PLACE = [CONFIRM, ".lake:has(.place.ready)", ".hand"];
const DEDICATE = [CONFIRM, ".sets", step("dedicate")];
const CARDS = [".near .own > .seat .cards", ".near .purse"];
const STACKS = [".near .stacks", ".tokens"];

const points: Points = {
  "place.lake": [".lake"],
  "place.hand": [".hand"],
  "place.place": PLACE,
  "place.cards": CARDS,
  "match.match": PLACE,
  "match.extra": [".laid.last"],
  "favor.platform": [".laid:has([href$='pier']), .hand .tile:has([href$='pier'])", ".hand"],
  "favor.favor": PLACE,
  "favor.favors": [".near .favors"],
  "exchange.plan": CARDS,
  "exchange.exchange": [CONFIRM, ".pick:not(:has([aria-checked='true']))", step("exchange")],
  "exchange.four": DEDICATE,
  "exchange.honor": STACKS,
  "pairs.pairs": DEDICATE,
  "pairs.others": STACKS,
  "seven.seven": DEDICATE,
  "seven.stacks": STACKS,
  "empty.pile": [".supply", ".near .purse"],
  "empty.empty": PLACE,
  "empty.nothing": [".laid.last"],
  "limit.limit": [CONFIRM, ".sets", ".pick", step("dedicate")],
  "limit.freed": CARDS,
  "end.last": [".lake"],
  "end.dedicate": DEDICATE,
  "end.pass": [CONFIRM, step("pass")],
  "end.winner": [".ranking", ".near"],
};

export default points;
