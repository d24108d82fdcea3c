import type { Tour } from "./tour";

const tour: Tour = {
  game: "lanterns",
  steps: [
    { text: "lanterns.lake", rule: "L1" },
    { text: "lanterns.place", rule: "L9", until: "tile_placed" },
    { text: "lanterns.received", rule: "L11" },
    { text: "lanterns.match", rule: "L10", until: "tile_placed" },
    { text: "lanterns.dedicate", rule: "L7" },
    { text: "lanterns.favors", rule: "L6" },
    { text: "lanterns.empty", rule: "L12", until: "tile_placed" },
    { text: "lanterns.limit", rule: "L8" },
    { text: "lanterns.end", rule: "L14" },
  ],
};

export default tour;
