/** Rulebooks as HTML. micromark lets no raw HTML and no dangerous addresses through; headings get the number of their rule as id. */
import { micromark } from "micromark";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";

export function rulebookHtml(markdown: string): string {
  const html = micromark(markdown, { extensions: [gfmTable()], htmlExtensions: [gfmTableHtml()] });
  return html
    .replace(/<h([2-4])>([A-Z]\d+)\b/g, '<h$1 id="$2" tabindex="-1"><span class="number">$2</span>')
    .replace(/<table>/g, '<div class="scroll"><table>')
    .replace(/<\/table>/g, "</table></div>");
}

/** The headings with a number: what the table of contents lists. */
export function rulesOf(markdown: string): { rule: string; title: string }[] {
  return [...markdown.matchAll(/^#{2,4}\s+([A-Z]\d+)\s*[·:.-]?\s*(.*)$/gm)].map((match) => ({
    rule: match[1] ?? "",
    title: match[2] ?? "",
  }));
}
