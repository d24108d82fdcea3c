import type { Tour } from "../../learn/tour";

const tour: Tour = {
  steps: [
    { text: "lake", rule: "L1" },
    { text: "place", rule: "L9", until: "place" },
    { text: "received", rule: "L11" },
    { text: "match", rule: "L10", until: "place" },
    { text: "dedicate", rule: "L7" },
    { text: "favors", rule: "L6" },
    { text: "empty", rule: "L12", until: "place" },
    { text: "limit", rule: "L8" },
    { text: "end", rule: "L14" },
  ],
};

export default tour;
