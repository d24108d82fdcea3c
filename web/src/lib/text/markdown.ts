/** Rulebooks as HTML. micromark lets no raw HTML and no dangerous addresses through; headings get the number of their rule as id. */
import { micromark } from "micromark";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";

/** A stretch of text as HTML, or the place of a drawn example: `![words](example:name)` alone in its paragraph. */
export type Part = { html: string } | { example: string; words: string };

const EXAMPLE = /^!\[([^\]]+)\]\(example:([a-z-]+)\)$/m;

/** What a rulebook says to players who type their moves: notation, of which nothing is on the screen. */
const FOR_TERMINALS = /^<!-- terminal:[^]*/m;

/** A heading with what stands below it, up to the next one. */
export interface Section {
  /** Whether it is one of the numbered rules, which can stand side by side. */
  isRule: boolean;
  parts: Part[];
}

export function rulebookSections(markdown: string): Section[] {
  return markdown
    .replace(FOR_TERMINALS, "")
    .split(/^(?=#{1,3} )/m)
    .filter((text) => text.trim())
    .map((text) => ({ isRule: text.startsWith("### "), parts: rulebookParts(text) }));
}

export function rulebookParts(markdown: string): Part[] {
  const pieces = markdown.split(EXAMPLE); // text, words, name, text, and so on
  return pieces.flatMap((text, k): Part[] => {
    if (k % 3 === 0) return text.trim() ? [{ html: rulebookHtml(text) }] : [];
    return k % 3 === 1 ? [{ example: pieces[k + 1] ?? "", words: text.replace(/\s*\n\s*/g, " ") }] : [];
  });
}

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
