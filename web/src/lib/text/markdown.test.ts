import { expect, it } from "vitest";
import { rulebookHtml, rulebookParts, rulebookSections, rulesOf } from "./markdown";

it("gives every rule an anchor", () => {
  expect(rulebookHtml("### L10 · Matching\n\nText.")).toContain(
    '<h3 id="L10" tabindex="-1"><span class="number">L10</span> · Matching</h3>',
  );
});
it("lets no markup of strangers through", () => {
  const html = rulebookHtml('<img src=x onerror="alert(1)"> [x](javascript:alert(1))');
  expect(html).not.toContain("<img");
  expect(html).not.toContain("javascript:");
});
it("draws tables", () => {
  expect(rulebookHtml("| a |\n|---|\n| b |")).toContain("<td>b</td>");
});
it("lists the rules", () => {
  expect(rulesOf("# Title\n\n### L1 · Seats\n\n### L2 · Deal\n")).toEqual([
    { rule: "L1", title: "Seats" },
    { rule: "L2", title: "Deal" },
  ]);
});
it("finds the places of drawn examples", () => {
  expect(rulebookParts("One.\n\n![A tile,\nturned.](example:a-tile)\n\nTwo.")).toEqual([
    { html: "<p>One.</p>\n" },
    { example: "a-tile", words: "A tile, turned." },
    { html: "<p>Two.</p>" },
  ]);
});
it("parts the rules from each other, and leaves out what is for terminals", () => {
  const book =
    "# Title\n\nText.\n\n### L1 · Seats\n\nSit.\n\n### L2 · Deal\n\nDeal.\n\n<!-- terminal: x -->\n\n## Notation\n\n`+17`\n";
  const sections = rulebookSections(book);
  expect(sections.map(({ isRule }) => isRule)).toEqual([false, true, true]);
  expect(JSON.stringify(sections)).not.toContain("17");
});
