/** Compiled modules by address. */

const modules = new Map<string, Promise<WebAssembly.Module>>();

/** The module at an address, loaded once; what could not be loaded is loaded again the next time. */
export function moduleAt(address: string): Promise<WebAssembly.Module> {
  let found = modules.get(address);
  if (!found) {
    found = load(address);
    modules.set(address, found);
    found.catch(() => modules.delete(address));
  }
  return found;
}

async function load(address: string): Promise<WebAssembly.Module> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return WebAssembly.compile(await answer.arrayBuffer());
}
