import { closeSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findSection } from "../../agent-runtime/loader/sections.ts";
import { truncateText } from "../../agent-runtime/loader/truncate.ts";
import { extractJson } from "../../agent-runtime/stream/extract-json.ts";
import { JsonStream } from "../../agent-runtime/stream/json-stream.ts";
import type { PureEvidence } from "../../contract/agent-details.ts";
import { Diagnostics } from "../../contract/diagnostics.ts";
import type { LoadedPureCase } from "../../contract/loaded-case.ts";
import type { PureExpect, PureInput } from "../../contract/pure-case.ts";
import { openInside } from "../../shared/files/guarded-open.ts";
import { lexicalProblem } from "../../shared/files/path-guard.ts";
import type { Json, JsonObject } from "../../shared/json/json.ts";
import { parseFrontmatter } from "../../skills/agent-skill/parse-frontmatter.ts";
import { readAgentSkill } from "../../skills/agent-skill/read-agent-skill.ts";
import { readFrontmatter, splitInstructions } from "../../skills/agent-skill/read-frontmatter.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";

/** Calls the pure function of a case: the very one that runs of agents use. */
export async function runPureCase({ test }: Pick<LoadedPureCase, "test">): Promise<PureEvidence> {
  switch (test.kind) {
    case "frontmatter":
      return { actual: [await readTheFrontmatter(test.input)] };
    case "json_stream":
      return { actual: streamed(test.input, test.expect) };
    case "json_extract":
      return { actual: [extracted(test.input)] };
    case "path":
      return openPath(test.input);
    case "section": {
      const found = findSection(test.input.text, test.input.hint);
      return { actual: [found.ok ? { text: found.text } : { code: "SectionNotFound" }] };
    }
    case "truncate": {
      const { text, max_lines: maxLines, max_chars: maxChars } = test.input;
      const { lines, chars, ...cut } = truncateText(text, { maxLines, maxChars });
      return { actual: [cut] };
    }
    default:
      return test satisfies never;
  }
}

const defaultMaxChars = 200_000;

/** The same text with every chunk size. */
function streamed(input: PureInput<"json_stream">, { deltas = {} }: PureExpect<"json_stream">): JsonObject[] {
  const { text = "", base64, chunk_sizes, max_chars: maxChars = defaultMaxChars } = input;
  const bytes = base64 === undefined ? Buffer.from(text) : Buffer.from(base64, "base64");
  const sizes = chunk_sizes ?? [Math.max(1, bytes.length), 1];
  return sizes.map((chunk_size) => {
    const received = new Map(Object.keys(deltas).map((path) => [path, ""]));
    const watch = [...received.keys()].map((path) => ({
      path,
      mode: "incremental" as const,
      on: (part: string) => void received.set(path, `${received.get(path)}${part}`),
    }));
    const stream = new JsonStream({ maxChars, watch });
    for (let at = 0; at < bytes.length; at += chunk_size) stream.write(bytes.subarray(at, at + chunk_size));
    const end = stream.end();
    if (!end.ok) return { error: end.problem, code: end.code, chunk_size };
    return { value: end.value, deltas: Object.fromEntries(received), chunk_size };
  });
}

function extracted({ text }: PureInput<"json_extract">): JsonObject {
  const found = extractJson(text);
  if (!found.ok) return { error: found.problem, code: found.code };
  return { value: found.value, extracted: found.extracted };
}

function openPath({ path, tree }: PureInput<"path">): PureEvidence {
  if (tree === undefined) {
    const problem = lexicalProblem(path);
    return { actual: [problem === null ? { ok: true } : blocked(problem)] };
  }
  using folder = temporaryBase();
  let base: string;
  try {
    base = makeTree(folder.path, tree);
  } catch (error) {
    // Two entries that cannot both be there, or a disk that is full: nothing was tested.
    const { code = "error" } = error as NodeJS.ErrnoException;
    return { noVerdict: { code: "TreeNotMade", message: `the file tree cannot be created (${code})` } };
  }
  const opened = openInside(base, path, "read");
  if (opened.ok) closeSync(opened.fd);
  const { code, reason } = opened.ok ? { code: "", reason: "" } : opened;
  return { actual: [opened.ok ? { ok: true } : { code, reason }] };
}

function blocked(reason: string): JsonObject {
  return { code: "PathTraversalBlocked", reason };
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

type Tree = NonNullable<PureInput<"path">["tree"]>;

/** A folder for a pure function that reads files, removed on disposal. */
function temporaryBase(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "eval-skills-pure-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Makes the tree of a case below a folder, and a file beside it that links can lead to. Gives the base of the tree. */
function makeTree(folder: string, tree: Tree): string {
  const base = join(folder, "tree");
  mkdirSync(base);
  writeFileSync(join(folder, "outside.txt"), "outside\n");
  // Links come last, so that nothing is written through one.
  const entries = Object.entries(tree).sort(([, one], [, other]) => creationRank(one) - creationRank(other));
  for (const [path, entry] of entries) {
    const at = join(base, path);
    mkdirSync(entry === null ? at : dirname(at), { recursive: true });
    if (typeof entry === "string") writeFileSync(at, entry);
    else if (entry !== null && "hard_link" in entry) linkSync(join(base, entry.hard_link), at);
    else if (entry !== null) symlinkSync(entry.link, at);
  }
  return base;
}

function creationRank(entry: Tree[string]): number {
  if (entry === null || typeof entry === "string") return 0;
  return "hard_link" in entry ? 1 : 2;
}
