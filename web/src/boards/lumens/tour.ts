import type { Tour } from "../../learn/tour";

const tour: Tour = {
  steps: [
    { text: "board", rule: "U2" },
    { text: "start", rule: "U4", until: "start_chosen" },
    { text: "count", rule: "U5", until: "place" },
    { text: "faces", rule: "U5", until: "place" },
    { text: "cover", rule: "U6" },
    { text: "home", rule: "U7", until: "place" },
    { text: "rooms", rule: "U11" },
    { text: "end", rule: "U10" },
  ],
};

export default tour;
