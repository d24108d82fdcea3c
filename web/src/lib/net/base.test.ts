import { describe, expect, it } from "vitest";
import { at, within } from "./base";

describe("the folder in which the client lives", () => {
  it("is the whole site unless the page says otherwise", () => {
    expect(at("/about")).toBe("/about");
    expect(within("/about")).toBe("/about");
  });

  it("stands before every address", () => {
    expect(at("/", "/lampion/")).toBe("/lampion/");
    expect(at("/t/abc#key", "/lampion/")).toBe("/lampion/t/abc#key");
  });

  it("is taken off what the address bar shows", () => {
    expect(within("/lampion/t/abc", "/lampion/")).toBe("/t/abc");
    expect(within("/lampion/", "/lampion/")).toBe("/");
    expect(within("/lampion", "/lampion/")).toBe("/");
  });

  it("leaves other pages of the site alone", () => {
    expect(within("/blog", "/lampion/")).toBeNull();
    expect(within("/lampions/blog", "/lampion/")).toBeNull();
  });
});
