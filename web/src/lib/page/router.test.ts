import { describe, expect, it } from "vitest";
import { routeOf } from "./router.svelte";

const at = (path: string) => routeOf(new URL(path, "http://lake.example"));

describe("routeOf", () => {
  it.each([
    ["/", { page: "home" }],
    ["/t/abcdefgh", { page: "table", id: "abcdefgh", invite: null }],
    ["/t/abcdefgh#a-secret_of_24_characters", { page: "table", id: "abcdefgh", invite: "a-secret_of_24_characters" }],
    ["/t/abcdefgh#content", { page: "table", id: "abcdefgh", invite: null }],
    ["/replay", { page: "replay", id: null, ply: null, seat: null, shared: false }],
    ["/replay?shared=1", { page: "replay", id: null, ply: null, seat: null, shared: true }],
    ["/replay/abcdefgh?ply=12&seat=1", { page: "replay", id: "abcdefgh", ply: 12, seat: 1, shared: false }],
    ["/replay/abcdefgh?ply=x", { page: "replay", id: "abcdefgh", ply: null, seat: null, shared: false }],
    ["/result", { page: "result", id: null }],
    ["/result/abcdefgh", { page: "result", id: "abcdefgh" }],
    ["/review", { page: "review", id: null, ply: null }],
    ["/review/abcdefgh", { page: "review", id: "abcdefgh", ply: null }],
    ["/review/abcdefgh?ply=17", { page: "review", id: "abcdefgh", ply: 17 }],
    ["/practice", { page: "practice", id: null }],
    ["/practice/0123456789abcdef", { page: "practice", id: "0123456789abcdef" }],
    ["/rules/some_game#L10", { page: "rules", game: "some_game", rule: "L10" }],
    ["/learn/some_game", { page: "learn", game: "some_game" }],
    ["/claim#code", { page: "claim", code: "code" }],
    ["/about", { page: "about" }],
    ["/admin", { page: "admin" }],
    ["/admin/more", { page: "missing" }],
    ["/t", { page: "missing" }],
    ["/nowhere", { page: "missing" }],
    ["/rules/lanterns/more", { page: "missing" }],
  ])("%s", (path, route) => expect(at(path)).toEqual(route));
});
