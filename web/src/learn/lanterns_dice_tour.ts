import type { Tour } from "./tour";

const tour: Tour = {
  game: "lanterns_dice",
  options: { setup: "first" },
  steps: [
    { text: "lanterns_dice.sheet" },
    { text: "lanterns_dice.tray", rule: "D6" },
    { text: "lanterns_dice.shade", rule: "D7", until: "area_shaded" },
    { text: "lanterns_dice.bonus", rule: "D8" },
    { text: "lanterns_dice.gifts", rule: "D9" },
    { text: "lanterns_dice.pools", rule: "D12", until: "area_shaded" },
    { text: "lanterns_dice.fireworks", rule: "D15" },
    { text: "lanterns_dice.boats", rule: "D13" },
    { text: "lanterns_dice.end", rule: "D17" },
  ],
};

export default tour;
