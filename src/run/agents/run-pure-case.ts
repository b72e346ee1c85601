import { closeSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findSection } from "../../agent/loader/sections.ts";
import { truncateText } from "../../agent/loader/truncate.ts";
import { extractJson } from "../../agent/stream/extract-json.ts";
import { JsonStream } from "../../agent/stream/json-stream.ts";
import { canonicalJson } from "../../base/canonical-json.ts";
import { openInside } from "../../base/guarded-open.ts";
import { lexicalProblem } from "../../base/path-guard.ts";
import { shownText } from "../../base/visible-text.ts";
import { Diagnostics } from "../../contract/diagnostics.ts";
import type { Json, JsonObject } from "../../contract/json.ts";
import type { LoadedPureCase } from "../../contract/loaded-case.ts";
import type { PureExpect, PureInput } from "../../contract/pure-case.ts";
import type { PureFindings } from "../../scorers/agent/grade-pure.ts";
import { parseFrontmatter } from "../../skills/agent-skill/parse-frontmatter.ts";
import { readAgentSkill } from "../../skills/agent-skill/read-agent-skill.ts";
import { readFrontmatter } from "../../skills/agent-skill/read-frontmatter.ts";
import { splitInstructions } from "../../skills/agent-skill/split-instructions.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { makeTree, temporaryBase } from "./pure-tree.ts";

/** Puts a pure function of the product to the test of a case: the very one that runs of agents use. */
export async function runPureCase({ test }: Pick<LoadedPureCase, "test">): Promise<PureFindings> {
  switch (test.kind) {
    case "frontmatter":
      return judge(test.expect, await readTheFrontmatter(test.input), isFrontmatter);
    case "json_stream":
      return all(streamed(test.input, test.expect).map((actual) => judge(test.expect, actual, isReading)));
    case "json_extract":
      return judge(test.expect, extracted(test.input), isReading);
    case "path":
      return judgePath(test.input, test.expect);
    case "section": {
      const found = findSection(test.input.text, test.input.hint);
      return judge(test.expect, found.ok ? { text: found.text } : { code: "SectionNotFound" }, hasAll);
    }
    case "truncate": {
      const { text, max_lines: maxLines, max_chars: maxChars } = test.input;
      const { lines, chars, ...cut } = truncateText(text, { maxLines, maxChars });
      return judge(withWholeHashes(test.expect), cut, hasAll);
    }
    default:
      return test satisfies never;
  }
}

const nothingWrong: PureFindings = { faults: [] };

function judge<Expect extends object>(
  expect: Expect,
  actual: JsonObject,
  fits: (expect: Expect, actual: JsonObject) => boolean,
): PureFindings {
  if (fits(expect, actual)) return nothingWrong;
  const message = `expected ${shown(expect)}, got ${shown(actual)}`;
  return { faults: [{ code: "UnitMismatch", message, expected: expect as JsonObject, actual }] };
}

function all(findings: readonly PureFindings[]): PureFindings {
  return { faults: findings.flatMap(({ faults }) => faults) };
}

function shown(value: unknown): string {
  return shownText(canonicalJson(value), 300);
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** Whether what is asked for is so; what is not asked for may be anything. */
function hasAll(expect: object, actual: JsonObject): boolean {
  return Object.entries(expect).every(([key, value]) => isSame(value, actual[key] ?? null));
}

/** A value that was read, or why none was. */
function isReading(
  { error, ...asked }: PureExpect<"json_stream"> | PureExpect<"json_extract">,
  actual: JsonObject,
): boolean {
  if (error === undefined) return hasAll(asked, actual);
  if (typeof actual.error !== "string") return false;
  return error === true || actual.code === error || actual.error.includes(error);
}

const usualMaxChars = 200_000;

/** The same text in every manner of cutting it. */
function streamed(input: PureInput<"json_stream">, { deltas = {} }: PureExpect<"json_stream">): JsonObject[] {
  const { text = "", base64, chunk_sizes, max_chars: maxChars = usualMaxChars } = input;
  const bytes = base64 === undefined ? Buffer.from(text) : Buffer.from(base64, "base64");
  const sizes = chunk_sizes ?? [Math.max(1, bytes.length), 1];
  return sizes.map((chunk_size) => {
    const heard = new Map(Object.keys(deltas).map((path) => [path, ""]));
    const watch = [...heard.keys()].map((path) => ({
      path,
      mode: "incremental" as const,
      on: (part: string) => void heard.set(path, `${heard.get(path)}${part}`),
    }));
    const stream = new JsonStream({ maxChars, watch });
    for (let at = 0; at < bytes.length; at += chunk_size) stream.write(bytes.subarray(at, at + chunk_size));
    const end = stream.end();
    if (!end.ok) return { error: end.problem, code: end.code, chunk_size };
    return { value: end.value, deltas: Object.fromEntries(heard), chunk_size };
  });
}

function extracted({ text }: PureInput<"json_extract">): JsonObject {
  const found = extractJson(text);
  if (!found.ok) return { error: found.problem, code: found.code };
  return { value: found.value, extracted: found.extracted };
}

function judgePath({ path, tree }: PureInput<"path">, expect: PureExpect<"path">): PureFindings {
  if (tree === undefined) {
    const problem = lexicalProblem(path);
    return judge(expect, problem === null ? { ok: true } : blocked(problem), hasAll);
  }
  using folder = temporaryBase();
  let base: string;
  try {
    base = makeTree(folder.path, tree);
  } catch (error) {
    // Two entries that cannot both be there, or a disk that is full: nothing was put to the test.
    const { code = "error" } = error as NodeJS.ErrnoException;
    return { faults: [], noVerdict: { code: "TreeNotMade", message: `the tree cannot be made (${code})` } };
  }
  const opened = openInside(base, path, "read");
  if (opened.ok) closeSync(opened.fd);
  const { code, reason } = opened.ok ? { code: "", reason: "" } : opened;
  return judge(expect, opened.ok ? { ok: true } : { code, reason }, hasAll);
}

function blocked(reason: string): JsonObject {
  return { code: "PathTraversalBlocked", reason };
}

function withWholeHashes(expect: PureExpect<"truncate">): JsonObject {
  const whole = (value: Json) =>
    typeof value === "string" && /^[0-9a-f]{64}$/.test(value) ? `sha256:${value}` : value;
  const { text, truncated, ...hashes } = expect;
  return {
    ...(text !== undefined && { text }),
    ...(truncated !== undefined && { truncated }),
    ...Object.fromEntries(Object.entries(hashes).map(([key, hash]) => [key, whole(hash ?? null)])),
  };
}

/** Reads a `SKILL.md` as the registry does, in a folder of the name it asks for. */
async function readTheFrontmatter({ text, profile, folder }: PureInput<"frontmatter">): Promise<JsonObject> {
  using base = temporaryBase();
  const name = folder ?? (await nameIn(text)) ?? "skill";
  const dir = join(base.path, name);
  mkdirSync(dir);
  writeFileSync(join(dir, "SKILL.md"), text);
  const skill = new SkillFolder(dir);
  const diagnostics = new Diagnostics(profile, name);
  await readAgentSkill(skill, "SKILL.md", diagnostics);
  const read = await readFrontmatter(skill, "SKILL.md");
  const codes = [...new Set(diagnostics.list().map(({ code }) => code))];
  return { value: (read.ok ? read.frontmatter.fields : null) as Json, codes };
}

async function nameIn(text: string): Promise<string | null> {
  const split = splitInstructions(text);
  const name = split === null ? null : (await parseFrontmatter(split.block)).fields?.name;
  return typeof name === "string" && /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name) ? name : null;
}

function isFrontmatter({ value, codes }: PureExpect<"frontmatter">, actual: JsonObject): boolean {
  const told = actual.codes as string[];
  if (value !== undefined && !isSame(value, actual.value)) return false;
  if (codes === undefined) return true;
  return codes.length === 0 ? told.length === 0 : codes.every((code) => told.includes(code));
}
