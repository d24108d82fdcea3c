/**
 * A game's own drawing, made safe. The server sends SVG that was written by the game's package; nothing of it is trusted: only the
 * elements and attributes listed here are built again, and the rest is dropped. So no script, no style and no address gets through,
 * and no id can stand in for one of the page's.
 */
const SVG = "http://www.w3.org/2000/svg";

const ELEMENTS = new Set(
  (
    "svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan " +
    "linearGradient radialGradient stop clipPath mask pattern"
  ).split(" "),
);
const ATTRIBUTES = new Set(
  (
    "viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy d points transform rotate offset " +
    "fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-dasharray " +
    "stroke-dashoffset stroke-miterlimit opacity color visibility paint-order clip-path clip-rule mask " +
    "stop-color stop-opacity gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits " +
    "patternUnits patternContentUnits patternTransform text-anchor dominant-baseline text-decoration letter-spacing " +
    "font-family font-size font-weight font-style textLength lengthAdjust data-action data-name id href"
  ).split(" "),
);
const PREFIX = "drawing-";
const REFERENCE = /url\(\s*["']?#([\w-]+)["']?\s*\)/g;

/** What stands in the attribute, or null if it must go. */
export function safeValue(name: string, value: string): string | null {
  if (!ATTRIBUTES.has(name)) return null;
  if (name === "id") return /^[\w-]+$/.test(value) ? PREFIX + value : null;
  if (name === "href") return /^#[\w-]+$/.test(value) ? `#${PREFIX}${value.slice(1)}` : null;
  const inside = value.replace(REFERENCE, `url(#${PREFIX}$1)`);
  return /url\((?!#drawing-)|[\\<>]|@import/i.test(inside) ? null : inside;
}

/** The drawing as an element of this page, with the names that the page has for the seats; null if it is none. */
export function safeDrawing(source: string, names: readonly string[]): SVGSVGElement | null {
  const parsed = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
  if (parsed.localName !== "svg" || parsed.namespaceURI !== SVG) return null;
  return copy(parsed, names) as SVGSVGElement;
}

function copy(given: Element, names: readonly string[]): Element {
  const made = document.createElementNS(SVG, given.localName);
  for (const { localName, value } of given.attributes) {
    const kept = safeValue(localName, value);
    if (kept !== null) made.setAttribute(localName, kept);
  }
  const name = names[Number(made.getAttribute("data-name") ?? -1)];
  if (name !== undefined) made.textContent = name;
  else for (const child of given.childNodes) append(made, child, names);
  return made;
}

function append(made: Element, child: ChildNode, names: readonly string[]): void {
  if (child.nodeType === Node.TEXT_NODE) made.append(child.nodeValue ?? "");
  else if (child instanceof Element && child.namespaceURI === SVG && ELEMENTS.has(child.localName))
    made.append(copy(child, names));
}
