import type { Component } from "svelte";

/** Drawings by the names of their files. */
export const byName = (files: Record<string, Component>): Record<string, Component> =>
  Object.fromEntries(
    Object.entries(files).map(([path, drawing]) => [path.replace(/^.*\/(.*)\.svelte$/, "$1"), drawing]),
  );
