/** What the server has compressed itself: frames of a socket are not compressed on their way. */

/** Old browsers cannot. */
export const canInflate = typeof DecompressionStream !== "undefined";

/** JSON that was compressed with DEFLATE and written in base64. */
export async function inflated(base64: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
}
