import type { Tour } from "./tour";

const tour: Tour = {
  game: "lanterns",
  steps: [
    { text: "lanterns.lake", rule: "L1" },
    { text: "lanterns.place", rule: "L9", until: "place" },
    { text: "lanterns.received", rule: "L11" },
    { text: "lanterns.match", rule: "L10", until: "place" },
    { text: "lanterns.dedicate", rule: "L7" },
    { text: "lanterns.favors", rule: "L6" },
    { text: "lanterns.empty", rule: "L12", until: "place" },
    { text: "lanterns.limit", rule: "L8" },
    { text: "lanterns.end", rule: "L14" },
  ],
};

export default tour;
