import { expect, test } from "vitest";
import { sha256 } from "../../shared/json/canonical-json.ts";
import {
  type ContextPart,
  contextPart,
  type Material,
  packContext,
  shortenablePart,
} from "./pack-context.ts";

const shortenable = (kind: ContextPart["kind"], name: string, chars: number) =>
  shortenablePart(kind, name.padEnd(chars, "."), () => `${name} short`, `run#${name}`);

const material: Material = {
  rules: contextPart("rules", "RULES"),
  request: contextPart("request", "REQUEST"),
  state: contextPart("state", "STATE"),
  index: shortenable("index", "INDEX", 100),
  bodies: [contextPart("body", "BODY".padEnd(100, "."), "run#5")],
  resources: [shortenable("resource", "R1", 100), shortenable("resource", "R2", 100)],
  observations: [
    shortenable("observation", "O1", 100),
    shortenable("observation", "O2", 100),
    shortenable("observation", "O3", 100),
  ],
  notices: [contextPart("notice", "NOTICE")],
};
const whole = charsAt(1e6);

function charsAt(limit: number): number {
  const { messages } = packContext(material, limit) ?? { messages: [] };
  return messages.map(({ text }) => text).join("\n\n").length;
}

function shortAt(limit: number): string[] | null {
  const packed = packContext(material, limit);
  if (packed === null) return null;
  return [
    ...packed.messages
      .map(({ text }) => text)
      .join("\n\n")
      .matchAll(/(\w+) short/g),
  ].map(([, name]) => name ?? "");
}

test("the parts are in order, each in the role of its author", () => {
  const { messages, manifest } = packContext(material, 1e6) ?? { messages: [], manifest: [] };

  expect(messages.map(({ role }) => role)).toEqual(["system", "user", "developer", "user", "developer"]);
  expect(manifest.map(({ kind }) => kind)).toEqual([
    ...["rules", "request", "state", "index", "body", "resource", "resource"],
    ...["observation", "observation", "observation", "notice"],
  ]);
  expect(manifest[4]).toEqual({
    kind: "body",
    ref: "run#5",
    chars: 100,
    sha256: sha256("BODY".padEnd(100, ".")),
  });
});

test("old observations go first, then resources, then descriptions, each only when it must", () => {
  const stages: (string[] | null)[] = [];
  for (let limit = whole; limit > whole - 700; limit--) {
    const short = shortAt(limit);
    if (JSON.stringify(short) !== JSON.stringify(stages.at(-1))) stages.push(short);
    if (short === null) break;
  }

  expect(stages).toEqual([
    [],
    ["O1"],
    ["O1", "O2"],
    ["R1", "O1", "O2"],
    ["R1", "R2", "O1", "O2"],
    ["INDEX", "R1", "R2", "O1", "O2"],
    null,
  ]);
});

test("what fits exactly is left as it is", () => {
  expect(shortAt(whole)).toEqual([]);
  expect(shortAt(whole - 1)).toEqual(["O1"]);
});

test("a prompt is never longer than requested, and a shortened part keeps its pointer", () => {
  for (let limit = whole; shortAt(limit) !== null; limit -= 7)
    expect(charsAt(limit)).toBeLessThanOrEqual(limit);
  const packed = packContext(material, whole - 1);
  expect(packed?.manifest[7]).toMatchObject({ kind: "observation", ref: "run#O1", chars: "O1 short".length });
});

test("without skills to choose there is no index", () => {
  const { manifest } = packContext({ ...material, index: null }, 1e6) ?? { manifest: [] };

  expect(manifest.map(({ kind }) => kind)).not.toContain("index");
});
