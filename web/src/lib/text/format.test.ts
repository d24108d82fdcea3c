import { describe, expect, it } from "vitest";
import { bestLanguage, format } from "./format";

describe("format", () => {
  const catalogue = { hello: "Hello {name}", "cards#one": "{count} card", "cards#other": "{count} cards" };

  it("fills placeholders and leaves unknown ones", () => {
    expect(format(catalogue, "en", "hello", { name: "Ada" })).toBe("Hello Ada");
    expect(format(catalogue, "en", "hello")).toBe("Hello {name}");
  });
  it("takes the plural form of the language", () => {
    expect(format(catalogue, "en", "cards", { count: 1 })).toBe("1 card");
    expect(format(catalogue, "en", "cards", { count: 0 })).toBe("0 cards");
    expect(format(catalogue, "fr", "cards", { count: 0 })).toBe("0 card");
  });
  it("shows the key of a missing text", () => {
    expect(format(catalogue, "en", "nothing")).toBe("nothing");
  });
});

describe("bestLanguage", () => {
  it("finds the first language that we speak", () => {
    expect(bestLanguage(["de-CH", "fr-CH", "en"], ["en", "fr", "it"])).toBe("fr");
    expect(bestLanguage(["de"], ["en", "fr", "it"])).toBeUndefined();
  });
});
