import { execFileSync } from "node:child_process";
import { mkdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { jsonFileCapBytes, parseJsonText, readJsonFile } from "./read-text-file.ts";

const parse = (text: string) => parseJsonText(text, "benchmark-invalid", "b.json");

describe("reading a JSON file", () => {
  test("a byte order mark is tolerated", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "bom.json");
    await writeFile(path, '\ufeff{"a":1}');
    expect(readJsonFile(path, "skill-invalid")).toEqual({ a: 1 });
  });

  test("a missing file has the code of its reader and the path as typed", async () => {
    expect(() => readJsonFile("/nowhere/x.json", "skill-invalid", "./x.json")).toThrow(
      expect.objectContaining({
        code: "skill-invalid",
        path: "./x.json",
        message: "./x.json does not exist",
      }),
    );
  });

  test("bytes that are not UTF-8 are refused, not replaced", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "latin.json");
    await writeFile(path, Buffer.from([0x22, 0xe9, 0x22]));
    expect(() => readJsonFile(path, "skill-invalid")).toThrow(/is not UTF-8 text/);
  });

  test("a file above 64 MiB is refused before it is read", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "large.json");
    await writeFile(path, "");
    await truncate(path, jsonFileCapBytes + 1);
    expect(() => readJsonFile(path, "benchmark-invalid")).toThrow(/is larger than 64 MiB/);
  });

  test("a folder and a pipe without writer are refused at once", async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, "folder.json"));
    execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", join(folder.path, "pipe.json")]);
    for (const name of ["folder.json", "pipe.json"])
      expect(() => readJsonFile(join(folder.path, name), "skill-invalid")).toThrow(/is not a regular file/);
  });
});

describe("the location of a fault in JSON", () => {
  test.each([
    ["a missing comma", '{\n  "a": 1\n  "b": 2\n}', /line 3, column 3: missing comma before "b"/],
    ["a comma before ]", "[1,\n]", /line 1, column 3: trailing comma before ]$/],
    ["a comma before }", '{\n "a": 1,\n}', /line 2, column 8: trailing comma before }$/],
    ["two commas", "[1, , 2]", /line 1, column 5: unexpected comma$/],
    ["a comma in front", "{,}", /line 1, column 2: unexpected comma$/],
    ["a comma behind it all", "[1],\n", /line 1, column 4: unexpected comma$/],
    ["a comma instead of a value", '{"a": , "b": 1}', /line 1, column 7: expected value, found ,/],
    ["a comma and the wrong bracket", "[1, }", /line 1, column 5: expected value, found }/],
    ["a bracket instead of a value", '[{"a": ]', /line 1, column 8: expected value, found ]/],
    ["a bare word", "{\n a: 1}", /line 2, column 2: unquoted key a/],
    ["a token that a link leads to", `ghp_${"A".repeat(36)}`, /unexpected "ghp_AAAAAAAA…"$/],
    ["a bare value", '{"a": True, "b": 1}', /line 1, column 7: unexpected "True"/],
    ["a comment", "{\n // x\n}", /line 2, column 2: comments are not allowed in JSON/],
    ["the other quotes", "{'a': 1}", /line 1, column 2: strings need double quotes/],
    ["an early end", '{"a": [1', /line 1, column 9: expected , or ], found the end of the file/],
    ["two values", "1 2", /line 1, column 3: expected end, found 2/],
    ["a number nobody writes", "[01]", /line 1, column 2/],
    ["an unclosed text", '{"a": "b\n}', /line 1, column 7: unterminated string/],
    ["a key that occurs twice", '{"a":1,\n"\\u0061":2}', /line 2, column 1: duplicate key/],
    ["an empty file", "", /line 1, column 1: the file is empty/],
    ["too deep", "[".repeat(200) + "]".repeat(200), /b\.json: nested deeper than 128 levels/],
    ["an infinite number", "[1e999]", /not finite/],
  ])("%s", (_, text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  test("what JSON.parse takes is taken", () => {
    const text = '{"a":[1,-2.5e3,true,false,null,"\\"\\n\\u00e9\u007f\u2028"],"b":{}}';
    expect(parse(text)).toEqual(JSON.parse(text));
  });
});
