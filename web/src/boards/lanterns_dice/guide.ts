import type { Points } from "../../learn/points";

const CONFIRM = ".choice .buttons .main:enabled";
const LAKE = ".sheet div.water";
const target = (action: string): string => `.target[data-action="${action}"]`;

const points: Points = {
  "roll.sheet": [LAKE],
  "roll.dice": ["section.tray"],
  "roll.tray": [CONFIRM, ".choice .options"],
  "roll.die": [CONFIRM, LAKE],
  "roll.bonus": [CONFIRM, LAKE],
  "roll.lit": [LAKE],
  "others.neighbor": ["section.tray"],
  "others.pavilion": [CONFIRM, target("h6l"), LAKE],
  "others.card": [CONFIRM, ".choice .card.can", "section.cards"],
  "others.area": [CONFIRM, LAKE],
  "others.gifts": ["header .own"],
  "platform.platform": [CONFIRM, target("f2l"), LAKE],
  "platform.bonus": [CONFIRM, LAKE],
  "platform.chain": [LAKE],
  "launch.shapes": ["section.stacks"],
  "launch.launch": [CONFIRM, "section.stacks"],
  "launch.honor": ["header .own dl"],
  "boat.boats": ["[data-pool='h2']"],
  "boat.boat": [CONFIRM, target("h1u"), LAKE],
  "boat.groups": ["path.group"],
  "end.last": [LAKE],
  "end.launch": [CONFIRM, ".stack.can", "section.stacks"],
  "end.score": ["header .own dl"],
};

export default points;
