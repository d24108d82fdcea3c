/** The drawn examples of this game; files with a capital letter are what they are made of. */
import type { Component } from "svelte";
import Pieces from "../Pieces.svelte";
import { byName } from "../../../examples/byname";
import type { Examples } from "../../../examples/index";

const files = import.meta.glob<Component>("./[a-z]*.svelte", { eager: true, import: "default" });

export const examples: Examples = { Pieces, drawings: byName(files) };
