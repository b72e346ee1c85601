import { describe, expect, test } from "vitest";
import { examined } from "../../../test/examined-skill.ts";
import { markdownLinks } from "./markdown-links.ts";

const head = "---\nname: my-skill\ndescription: Does it.\n---\n";
const files = {
  "LICENSE.txt": "",
  "references/a.md": "",
  "references/b c.md": "",
  "references/100%.md": "",
  "references/deep/down.md": "",
  "scripts/run.py": "",
};

async function linesFor(body: string): Promise<string[]> {
  return (await examined({ ...files, "SKILL.md": `${head}${body}` })).lines;
}

describe("links of a SKILL.md", () => {
  test.each([
    ["[a](references/a.md)"],
    ["[a](./references/a.md#part) and ![again](references/a.md?raw=1 'title')"],
    ["[b](references/b%20c.md) [b](<references/b c.md>) [c](references/100%.md)"],
    ["[folder](references/) [other](references/deep)"],
    ["[web](https://example.com/x.md) [mail](mailto:a@b.c) [part](#part) [site](/docs/x.md) [home](~/x.md)"],
    ["[text](url) [link](...) [name](path/{name}.md) [x](<file>.md) [y]($HOME/x.md) [page](wiki/page) [z]()"],
    ["`[code](gone.md)` and ``a ` [code](gone.md)``"],
    ["```\n[fenced](gone.md)\n```\n"],
    ["- step\n\n  ~~~md\n  [fenced](gone.md)\n  ```\n  ~~~\n"],
    ["<!-- [hidden](gone.md)\n[hidden](gone.md), `scripts/gone.py` --> text"],
    ["[a]: references/a.md 'title'\n[^1]: gone.md\n[Note]: e.g. this"],
    ["`references/a.md`, `scripts/run.py --all`, `references/deep/down.md`"],
    ["`src/gone.py`, `scripts/`, `scripts/*.py`, `references/{name}.md`"],
    ["Put detail into files, e.g. `references/gone.md`, or `assets/logo.png`."],
    ["Relative paths (`scripts/foo.py`, `references/bar.md`); `--init` creates `scripts/run-all.py`."],
    ["It is told in the `sorter` skill's `references/gone.md`."],
  ])("%j leads somewhere, or is none of ours", async (body) => {
    expect(await linesFor(body)).toEqual([]);
  });

  test.each([
    ["[a](references/gone.md)", "SKM12 SKILL.md:5: references/gone.md missing"],
    ["text\r\n\r\n![a](gone.png 'title')", "SKM12 SKILL.md:7: gone.png missing"],
    ["[a](References/a.md)", "SKM12 SKILL.md:5: References/a.md missing"],
    ["[a](references/gone)", "SKM12 SKILL.md:5: references/gone missing"],
    [
      "[text over\ntwo lines](gone.md) [once](gone.md) is [enough](gone.md)",
      "SKM12 SKILL.md:6: gone.md missing",
    ],
    ["[a]: gone.md\n", "SKM12 SKILL.md:5: gone.md missing"],
    ["[a](gone%00.md)", "SKM12 SKILL.md:5: gone%00.md missing"],
    ["[a](../other/SKILL.md)", "SKM12 SKILL.md:5: ../other/SKILL.md outside"],
    ["[a](references/../../x.md)", "SKM12 SKILL.md:5: references/../../x.md outside"],
    ["[a](references/deep/down.md)", "SKM12 SKILL.md:5: references/deep/down.md more than one level deep"],
    ["Read `references/gone.md` first.", "SKM12 SKILL.md:5: references/gone.md missing"],
    ["Run `./scripts/gone.py --all`.", "SKM12 SKILL.md:5: ./scripts/gone.py missing"],
    ["`<!--` begins a comment, [a](gone.md) not", "SKM12 SKILL.md:5: gone.md missing"],
    ["```sh\nls\n```\n[a](gone.md)", "SKM12 SKILL.md:8: gone.md missing"],
  ])("%j is reported", async (body, expected) => {
    expect(await linesFor(body)).toEqual([expected]);
  });

  test("where there are more than anybody follows, that is reported", async () => {
    const links = Array.from({ length: 1001 }, (_, n) => `[a](#${n})`);
    expect(await linesFor(links.join("\n"))).toContain(
      "SKM12 SKILL.md:1005: links from here on were not checked",
    );
  });

  test("a column is that of the target", async () => {
    const { diagnostics } = await examined({ "SKILL.md": `${head}\`code\` [a](gone.md)` });
    expect(diagnostics).toMatchObject([{ line: 5, column: 12 }]);
  });
});

test("texts made to be searched for ever are searched", () => {
  const parts = ["](", "[", "`", "`a``", "<!--", "](<", "[a]: ", "](((((", "> ", "`references/a.md`"];
  const lines = parts.map((part) => `${part.repeat(20_000 / part.length)}\n`.repeat(20));

  expect([...markdownLinks(lines.join("\n"))]).toBeInstanceOf(Array);
});
