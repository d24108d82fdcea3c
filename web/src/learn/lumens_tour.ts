import type { Tour } from "./tour";

const tour: Tour = {
  game: "lumens",
  steps: [
    { text: "lumens.board", rule: "U2" },
    { text: "lumens.start", rule: "U4", until: "start_chosen" },
    { text: "lumens.count", rule: "U5", until: "place" },
    { text: "lumens.faces", rule: "U5", until: "place" },
    { text: "lumens.cover", rule: "U6" },
    { text: "lumens.home", rule: "U7", until: "place" },
    { text: "lumens.rooms", rule: "U11" },
    { text: "lumens.end", rule: "U10" },
  ],
};

export default tour;
