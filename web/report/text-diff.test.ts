import { expect, test } from "vitest";
import { diffText } from "./text-diff.ts";

/** Pieces as one line: `[-expected-]` and `{+actual+}`. */
function shown(expected: string, actual: string): string {
  const marks = { both: ["", ""], expected: ["[-", "-]"], actual: ["{+", "+}"] } as const;
  return diffText(expected, actual)
    .map(({ kind, text }) => marks[kind].join(text))
    .join("");
}

test.each([
  ["50", "51", "5[-0-]{+1+}"],
  ["same", "same", "same"],
  ["", "new", "{+new+}"],
  ["the quick fox jumps", "the slow fox jumped", "the [-quick-]{+slow+} fox jump[-s-]{+ed+}"],
  ["a\nb\nc\n", "a\nx\nc\n", "a\n[-b-]{+x+}\nc\n"],
  ["期望得到一百", "期望得到二百", "期望得到[-一-]{+二+}百"],
  // Halves of a character are never marked alone.
  ["👍🏽 yes", "👍🏿 yes", "👍[-🏽-]{+🏿+} yes"],
])("%j and %j differ as %j", (expected, actual, pieces) => {
  expect(shown(expected, actual)).toBe(pieces);
});

test("the pieces of each side are that side, however long the texts", () => {
  const expected = Array.from({ length: 3000 }, (_, n) => `line ${n} ${n % 7}`).join("\n");
  const actual = Array.from({ length: 3000 }, (_, n) => `line ${n} ${n % 11}`).join("\n");
  const pieces = diffText(expected, actual);

  for (const [side, text] of [
    ["expected", expected],
    ["actual", actual],
  ] as const)
    expect(
      pieces
        .filter(({ kind }) => kind === "both" || kind === side)
        .map(({ text }) => text)
        .join(""),
    ).toBe(text);
});
