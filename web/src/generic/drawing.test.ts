import { expect, it } from "vitest";
import { safeValue } from "./drawing";

it.each([
  ["onclick", "alert(1)"],
  ["onload", "alert(1)"],
  ["style", "background:url(https://elsewhere.example)"],
  ["class", "button"],
  ["href", "https://elsewhere.example"],
  ["href", "javascript:alert(1)"],
  ["href", "data:image/svg+xml,x"],
  ["fill", "url(https://elsewhere.example/#a)"],
  ["fill", "url(//elsewhere.example)"],
  ["fill", "u\\72l(//elsewhere.example)"],
  ["id", "a b"],
])("drops %s=%s", (name, value) => {
  expect(safeValue(name, value)).toBeNull();
});

it.each([
  ["fill", "#f2b441", "#f2b441"],
  ["fill", "url(#sky)", "url(#drawing-sky)"],
  ["mask", "url('#sky')", "url(#drawing-sky)"],
  ["href", "#sky", "#drawing-sky"],
  ["id", "sky", "drawing-sky"],
  ["data-action", "d", "d"],
])("keeps %s=%s", (name, value, kept) => {
  expect(safeValue(name, value)).toBe(kept);
});
