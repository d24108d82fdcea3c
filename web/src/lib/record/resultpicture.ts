/** The result as a picture of its own: names, scores and the curve, to save and to send. */
import { curveOf } from "./curve";
import { ranking, type Finish } from "./finish";
import type { Scorebook } from "$lib/wire";

export const WIDTH = 1200;
export const HEIGHT = 630;
const INK = {
  ground: "#0b1230",
  raised: "#17245a",
  line: "#4a5eab",
  text: "#f3ecdc",
  quiet: "#bcc7ec",
  gold: "#f2b544",
};
const SEATS = [
  { color: "#f2b544", dash: "none" },
  { color: "#8fa6f2", dash: "18 6" },
  { color: "#8fdca5", dash: "6 6" },
  { color: "#ff9d8f", dash: "20 6 4 6" },
];
const SERIF = "Alegreya, 'Palatino Linotype', Palatino, Georgia, serif";
const LONGEST_NAME = 22;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
const shortened = (text: string, longest: number): string =>
  [...text].length > longest ? `${[...text].slice(0, longest - 1).join("")}…` : text;

function words(x: number, y: number, size: number, color: string, text: string, more = ""): string {
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${color}" ${more}>${escaped(text)}</text>`;
}

/** `emblem` gives the drawing of a seat on a field of 48 by 48 around the origin. */
export function pictureOf(
  scorebook: Scorebook,
  finish: Finish,
  said: { title: string; headline: string; about: string },
  emblem: (seat: number) => string,
): string {
  const placed = ranking(finish);
  const step = Math.min(70, 380 / placed.length);
  const list = placed.map(({ seat, score }, index) => {
    const y = 215 + index * step;
    const scale = Math.min(1, step / 56);
    const name = shortened(finish.names[seat] ?? "", LONGEST_NAME);
    return (
      `<g transform="translate(76 ${y}) scale(${scale})">${emblem(seat)}</g>` +
      words(112, y + 10, 30, INK.text, name) +
      words(
        500,
        y + 12,
        38,
        finish.winners.includes(seat) ? INK.gold : INK.text,
        String(score),
        'text-anchor="end" font-weight="bold"',
      )
    );
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="${SERIF}">` +
    `<defs><linearGradient id="night" x2="0" y2="1"><stop stop-color="${INK.raised}"/><stop offset="1" stop-color="${INK.ground}"/></linearGradient></defs>` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#night)"/>` +
    words(50, 78, 30, INK.quiet, said.title) +
    words(50, 138, 54, INK.text, shortened(said.headline, 40), 'font-weight="bold"') +
    list.join("") +
    lines(scorebook, emblem) +
    words(50, 600, 24, INK.quiet, said.about) +
    words(WIDTH - 50, 600, 28, INK.gold, "Lampion", 'text-anchor="end" font-weight="bold"') +
    "</svg>"
  );
}

function lines(scorebook: Scorebook, emblem: (seat: number) => string): string {
  const [left, right] = [610, WIDTH - 110];
  const box = { width: WIDTH, height: HEIGHT, left, right: WIDTH - right, top: 200, bottom: 90 };
  const curve = curveOf(scorebook, box, Math.min(42, 340 / scorebook.scores.length));
  const grid = curve.ticks.map(
    ({ score, y }) =>
      `<path d="M${left} ${y}H${right}" stroke="${INK.line}"/>` +
      words(left - 14, y + 8, 22, INK.quiet, String(score), 'text-anchor="end"'),
  );
  const drawn = curve.lines.map(({ seat, path, end, label }) => {
    const { color, dash } = SEATS[seat % SEATS.length] ?? { color: INK.text, dash: "none" };
    const line = `fill="none" stroke="${color}" stroke-linejoin="round"`;
    return (
      `<path d="${path}" ${line} stroke-width="5" stroke-dasharray="${dash}"/>` +
      `<path d="M${end.x} ${end.y}L${right + 24} ${label}" ${line} stroke-width="2"/>` +
      `<g transform="translate(${right + 44} ${label}) scale(0.8)">${emblem(seat)}</g>`
    );
  });
  return grid.join("") + drawn.join("");
}

/** The picture as a PNG; browsers share and show that everywhere. */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image(WIDTH, HEIGHT);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((found) => (found ? resolve(found) : reject(new Error("no picture"))), "image/png"),
  );
}
