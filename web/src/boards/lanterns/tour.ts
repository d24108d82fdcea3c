import type { Tour } from "../../learn/tour";

const tour: Tour = {
  steps: [
    { text: "lake", rule: "L1" },
    { text: "place", rule: "L9", until: "tile_placed" },
    { text: "received", rule: "L11" },
    { text: "match", rule: "L10", until: "tile_placed" },
    { text: "dedicate", rule: "L7" },
    { text: "favors", rule: "L6" },
    { text: "empty", rule: "L12", until: "tile_placed" },
    { text: "limit", rule: "L8" },
    { text: "end", rule: "L14" },
  ],
};

export default tour;
