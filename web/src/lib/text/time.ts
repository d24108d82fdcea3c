/** Times for people. */

/** 5:07, 1:02:03 */
export function clockText(ms: number): string {
  const total = Math.ceil(ms / 1000);
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), total % 60];
  const two = (value: number): string => String(value).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** "5 minutes ago" in a language; the last minute is "now". */
export function ago(then: number, now: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const passed = now - then;
  for (const [unit, ms] of UNITS) if (passed >= ms) return format.format(-Math.floor(passed / ms), unit);
  return format.format(0, "second");
}

/** "tomorrow", "in 5 hours" in a language; the next minute is "in 1 minute", and nearly a day is a day. */
export function ahead(then: number, now: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const left = Math.max(then - now, 60_000);
  const [unit, ms] = UNITS.find(([, length]) => left >= 0.95 * length) ?? ["minute", 60_000];
  return format.format(Math.round(left / ms), unit);
}

/** "Nov 18, 2026", as the language has it. */
export function dateText(ms: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(ms);
}
