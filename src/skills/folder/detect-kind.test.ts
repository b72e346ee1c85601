import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { Diagnostics } from "../../contract/diagnostics.ts";
import { detectKind } from "./detect-kind.ts";
import { SkillFolder } from "./skill-folder.ts";

type Files = Record<string, string>;

const manifests: Record<string, Files> = {
  "no skill.json": {},
  unit: { "skill.json": '{ "id": "a", "adapterType": "http" }' },
  ah32: { "skill.json": '{ "schema_version": "ah32.skill.v1" }' },
  broken: { "skill.json": "{ broken" },
  neither: { "skill.json": '{ "id": "a" }' },
};
const instructions: Record<string, Files> = {
  "no SKILL.md": {},
  "SKILL.md": { "SKILL.md": "---\nname: a\ndescription: A\n---\n" },
};
const prompts: Record<string, Files> = { "no SYSTEM.md": {}, "SYSTEM.md": { "SYSTEM.md": "Do." } };
const sidecars: Record<string, Files> = {
  "no meta.yml": {},
  "meta.yml naming a prompt": {
    "meta.yml": "description: A\nprompt: one.md\n",
    "one.md": "Do.",
    "two.md": "Or not.",
  },
  "meta.yml and one other .md": { "meta.yml": "description: A\n", "one.md": "Do." },
  "meta.yml and two other .md": { "meta.yml": "description: A\n", "one.md": "Do.", "two.md": "Or not." },
};
const combinations = Object.keys(manifests).flatMap((manifest) =>
  Object.keys(instructions).flatMap((instruction) =>
    Object.keys(prompts).flatMap((prompt) =>
      Object.keys(sidecars).map((sidecar) => [manifest, instruction, prompt, sidecar] as const),
    ),
  ),
);

/** What skill.json says decides, whatever is beside it; then SKILL.md; then a prompt; then a meta.yml with a prompt. */
function expected([manifest, instruction, prompt, sidecar]: readonly string[]): string {
  if (manifest === "unit") return "unit";
  if (manifest === "ah32") return "prompt-tool";
  if (manifest !== "no skill.json") return "broken";
  if (instruction === "SKILL.md") return "agent-skill";
  if (prompt === "SYSTEM.md") return "prompt-tool";
  return sidecar === "meta.yml naming a prompt" || sidecar === "meta.yml and one other .md"
    ? "prompt-tool"
    : "none";
}

async function detected(files: Files) {
  await using temporary = await temporaryFolder();
  return detect(temporary.path, files);
}

async function detect(dir: string, files: Files) {
  mkdirSync(dir, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content);
  const diagnostics = new Diagnostics("strict", "a");
  const detection = await detectKind(new SkillFolder(dir), diagnostics);
  return { detection, codes: diagnostics.list().map(({ code }) => code) };
}

test("every combination of files is recognised, and a broken manifest never becomes another kind", async () => {
  await using temporary = await temporaryFolder();
  expect(combinations).toHaveLength(80);
  for (const [index, names] of combinations.entries()) {
    const [manifest, instruction, prompt, sidecar] = names;
    const files = {
      ...manifests[manifest],
      ...instructions[instruction],
      ...prompts[prompt],
      ...sidecars[sidecar],
    };
    const { detection, codes } = await detect(join(temporary.path, String(index)), files);
    expect([names, detection.kind]).toEqual([names, expected(names)]);
    expect(codes).toEqual(manifest === "broken" ? ["SKD02"] : manifest === "neither" ? ["SKD03"] : []);
  }
});

test.each<[string, Files, string]>([
  ["schemaVersion for schema_version", { "skill.json": '{"schemaVersion":"ah32.skill.v1"}' }, "prompt-tool"],
  [
    "another version of the prompt format",
    { "skill.json": '{"schema_version":"ah32.skill.v9"}' },
    "prompt-tool",
  ],
  ["both words", { "skill.json": '{"schema_version":"ah32.skill.v1","adapterType":"http"}' }, "prompt-tool"],
  ["an entrypoint alone", { "skill.json": '{"entrypoint":"x"}' }, "unit"],
  ["a version that is not text", { "skill.json": '{"schema_version":1,"entrypoint":"x"}' }, "unit"],
  ["a list", { "skill.json": "[]" }, "broken"],
  ["a key twice", { "skill.json": '{"adapterType":"http","adapterType":"mcp"}' }, "broken"],
  ["another prompt file", { "prompt.txt": "Do." }, "prompt-tool"],
  ["a prompt as .docx", { "SKILL.docx": "PK" }, "prompt-tool"],
  ["a summary for a description", { "meta.yml": "summary: A\n", "x.txt": "Do." }, "prompt-tool"],
  ["a meta.yml that says nothing", { "meta.yml": "triggers: [a]\nprompt: x.md\n", "x.md": "Do." }, "none"],
  ["a blank description", { "meta.yml": 'description: " "\n', "x.md": "Do." }, "none"],
  ["a meta.yml alone", { "meta.yml": "description: A\n" }, "none"],
  // Nothing else replaces it; that it is missing is reported when it is read.
  [
    "a named prompt that is missing",
    { "meta.yml": "description: A\nprompt: gone.md\n", "x.md": "" },
    "prompt-tool",
  ],
  ["a meta.yml that is not YAML", { "meta.yml": "description: [", "x.md": "Do." }, "none"],
  ["a meta.yml beyond all measure", { "meta.yml": `description: ${"a".repeat(70_000)}`, "x.md": "" }, "none"],
  ["a file like any other", { "README.md": "Hello" }, "none"],
])("%s", async (_, files, kind) => {
  expect((await detected(files)).detection.kind).toBe(kind);
});

test("a manifest of no kind gets a hint about the misspelt key", async () => {
  await using temporary = await temporaryFolder();
  writeFileSync(join(temporary.path, "skill.json"), '{ "id": "a", "adaptertyp": "http" }');
  const diagnostics = new Diagnostics("lenient", "a");
  await detectKind(new SkillFolder(temporary.path), diagnostics);
  expect(diagnostics.list()).toMatchObject([{ code: "SKD03", hint: "did you mean adapterType?" }]);
});

test("the manifest may be another file, and then skill.json is none", async () => {
  await using temporary = await temporaryFolder();
  writeFileSync(join(temporary.path, "skill.json"), "{ broken");
  writeFileSync(join(temporary.path, "second.json"), '{ "adapterType": "http" }');
  const diagnostics = new Diagnostics("strict", "a");
  const detection = await detectKind(new SkillFolder(temporary.path, "second.json"), diagnostics);
  expect(detection).toMatchObject({ kind: "unit", manifest: { file: "second.json" } });
  expect(diagnostics.list()).toEqual([]);
});
