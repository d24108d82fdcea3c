/**
 * Where the client lives: "/" or a folder of a bigger site, such as "/lampion/". The server writes it into the page.
 * Everything that names an address of ours goes through here.
 */
const page = typeof document === "undefined" ? null : document.querySelector<HTMLMetaElement>('meta[name="base"]');

/** With a slash at both ends. */
export const BASE = page?.content || "/";

/** The address of one of our pages or files: `at("/about")` is "/lampion/about" there. */
export const at = (path: string, base = BASE): string => base + path.replace(/^\//, "");

/** What of an address is ours: "/about" again, and null for a page outside our folder. */
export function within(path: string, base = BASE): string | null {
  if (path + "/" === base) return "/";
  return path.startsWith(base) ? path.slice(base.length - 1) : null;
}
