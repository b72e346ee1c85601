import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { parseYamlText, readYamlFile } from "./read-text-file.ts";

const parse = (text: string) => parseYamlText(text, "config-invalid", "some.yaml");

describe("reading YAML", () => {
  test("maps, lists and scalars become plain JSON", async () => {
    expect(await parse("a: 1\nb: [x, null, true]\nc: { d: 1.5 }\n404: e\n")).toEqual({
      a: 1,
      b: ["x", null, true],
      c: { d: 1.5 },
      "404": "e",
    });
  });

  test("an empty file is null", async () => {
    expect(await parse("# nothing\n")).toBeNull();
  });

  test("an alias is written out", async () => {
    expect(await parse("a: &x { k: 1 }\nb: *x\n")).toEqual({ a: { k: 1 }, b: { k: 1 } });
  });

  test("a merge key is an ordinary key", async () => {
    expect(await parse("a: &x { k: 1 }\nb: { <<: *x }\n")).toEqual({ a: { k: 1 }, b: { "<<": { k: 1 } } });
  });

  test("YAML 1.1 words stay text, whatever the document declares", async () => {
    expect(await parse("%YAML 1.1\n---\na: yes\nb: 0777\n")).toMatchObject({ a: "yes" });
  });

  test("long text that is indented more and more is not nesting", async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `${" ".repeat(index + 2)}word`);
    expect(await parse(`a: |\n${lines.join("\n")}\nb: 1\n`)).toMatchObject({ b: 1 });
    expect(await parse(`a:\n${lines.join("\n")}\nb: 1\n`)).toMatchObject({ b: 1 });
  });

  test("many siblings are not nesting", async () => {
    const lines = Array.from(
      { length: 300 },
      (_, index) => `- k${index}:\n    - - a\n      - b\n  l: {a: [b]}`,
    );
    expect(await parse(lines.join("\n"))).toHaveLength(300);
  });

  test("a syntax error names file and line", async () => {
    await expect(parse("a: 1\nb: [1\nc: 2\n")).rejects.toMatchObject({
      code: "config-invalid",
      path: "some.yaml",
      message: expect.stringMatching(/^some\.yaml, line [23]: /),
    });
  });

  test.each([
    ["several documents", "a: 1\n---\nb: 2\n", /line 2: a second document is not allowed/],
    ["a value JSON cannot say", "a: .nan\n", /line 1: contains a value/],
    ["an alias without anchor", "a: 1\nb: *x\n", /line 2: the alias \*x has no anchor/],
    ["a key that is a list", "? [a]\n: b\n", /a key that is not plain text is not allowed/],
  ])("%s is refused", async (_, text, message) => {
    await expect(parse(text)).rejects.toThrow(message);
  });

  test("a file above 1 MiB is refused unparsed", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "large.yaml");
    await writeFile(path, `a: ${"x".repeat(1024 * 1024)}`);
    await expect(readYamlFile(path, "config-invalid")).rejects.toThrow(/is larger than 1 MiB/);
  });
});

describe("fault row 40: hostile YAML is refused before or at parsing, with file and line", () => {
  test.each([
    ["duplicate keys", "a: 1\nb: 2\na: 3\n", /some\.yaml, line 3: a second key "a" is not allowed/],
    ["one key in two spellings", '1: a\n"1": b\n', /line 2: a second key "1" is not allowed/],
    ["an unknown tag", "a: 1\nb: !!js/function x\n", /line 2: Unresolved tag/],
    ["a local tag", "a: !run x\n", /line 1: Unresolved tag: !run/],
    ["a binary tag", "a: !!binary aGk=\n", /line 1: Unresolved tag/],
    ["deep flow lists", `a: 1\nb: ${"[".repeat(500_000)}`, /line 2: nesting deeper than 128/],
    ["deep compact lists", "- ".repeat(500_000), /line 1: nesting deeper than 128/],
    ["deep compact keys", "? ".repeat(500_000), /line 1: nesting deeper than 128/],
    [
      "deep indentation",
      Array.from({ length: 1000 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"),
      /line 129: nesting deeper than 128/,
    ],
    ["more than 100 aliases", `a: &a 1\n${"- *a\n".repeat(101)}`, /line 102: more than 100 aliases/],
    ["an alias that contains itself", "a: &a [*a, *a]\n", /line 1: more than 100 aliases|nesting deeper/],
  ])("%s", async (_, text, message) => {
    await expect(parse(text)).rejects.toThrow(message);
  });

  test("an alias bomb with few aliases in the text", async () => {
    const levels = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`)}]`);
    await expect(parse(`l0: &l0 [lol]\n${levels.join("\n")}\n`)).rejects.toThrow(/more than 100 aliases/);
  });

  test("twenty thousand errors are refused quickly", async () => {
    await expect(parse('"a" '.repeat(100_000))).rejects.toThrow(/line 1: text follows the end of the value/);
  });
});

describe("fault row 41: keys that reach into prototypes are refused in YAML", () => {
  test.each(["__proto__", "constructor", "prototype"])("%s", async (key) => {
    await expect(parse(`a:\n  ${key}: { polluted: true }\n`)).rejects.toThrow(
      `line 2: the key "${key}" is not allowed`,
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
