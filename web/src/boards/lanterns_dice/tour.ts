import type { Tour } from "../../learn/tour";

const tour: Tour = {
  options: { setup: "first" },
  steps: [
    { text: "sheet" },
    { text: "tray", rule: "D6" },
    { text: "shade", rule: "D7", until: "area_shaded" },
    { text: "bonus", rule: "D8" },
    { text: "gifts", rule: "D9" },
    { text: "pools", rule: "D12", until: "area_shaded" },
    { text: "fireworks", rule: "D15" },
    { text: "boats", rule: "D13" },
    { text: "end", rule: "D17" },
  ],
};

export default tour;
