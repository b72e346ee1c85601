import { expect, test } from "vitest";
import { caseProject } from "../../test/case-project.ts";
import type { SkillRoot } from "../engine/skills/skill-root-folders.ts";
import { agentCatalog } from "./agent-catalog.ts";

const skill = (name: string, description: string, more = "") =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\nBody of ${name}: ${description}\n`;

const files = {
  "own/letters/SKILL.md": skill("letters", "Our letters."),
  "own/both/SKILL.md": skill("both-by-name", "An agent skill with a program."),
  "own/both/skill.json": {
    id: "both",
    name: "both",
    version: "1.0.0",
    description: "An agent skill with a program.",
    adapterType: "subprocess",
    entrypoint: "./program",
  },
  "own/unit/skill.json": {
    id: "unit",
    name: "unit",
    version: "1.0.0",
    description: "A program alone.",
    adapterType: "subprocess",
    entrypoint: "./program",
  },
  "own/off/skill.json": {
    schema_version: "ah32.skill.v1",
    meta: { id: "off", name: "Off", enabled: false },
    entry: {},
  },
  "own/off/SYSTEM.md": "Nobody reads this.\n",
  "own/broken/SKILL.md": "---\nname: [\n---\n",
  "own/quiet/SKILL.md": skill(
    "quiet",
    "For users alone.",
    "disable-model-invocation: true\nallowed-tools: Read Bash(git:*)\n",
  ),
  "users/letters/SKILL.md": skill("letters", "Letters of the user."),
  "users/more/SKILL.md": skill("more", "More of the user."),
};

async function openCatalog(roots: (at: (path: string) => string) => SkillRoot[]) {
  const project = await caseProject(files);
  const catalog = await agentCatalog({
    roots: roots(project.at),
    profile: "lenient",
    cwd: project.at("."),
    exclude: [],
  });
  return { ...project, catalog };
}

test("holds enabled skills with instructions; of one name the first, and with its source also the other", async () => {
  await using opened = await openCatalog((at) => [
    { source: "project", path: at("own") },
    { source: "user", path: at("users") },
  ]);
  const { catalog } = opened;

  expect(catalog.skills.map(({ name, source, modelInvocable }) => [name, source, modelInvocable])).toEqual([
    ["both", "project", true],
    ["letters", "project", true],
    ["quiet", "project", false],
    ["more", "user", true],
  ]);
  expect(catalog.find("letters")?.description).toBe("Our letters.");
  expect(catalog.find("letters", "user")?.description).toBe("Letters of the user.");
  expect(catalog.find("letters", "builtin")).toBeNull();
  expect(catalog.find("both-by-name")?.name).toBe("both");
  expect(catalog.find("off")).toBeNull();
  expect(catalog.find("unit")).toBeNull();
  expect(catalog.indexed).toMatchObject({
    roots: [
      { source: "project", path: "own" },
      { source: "user", path: "users" },
    ],
    found: 8,
    valid: 4,
    shadowed: [{ name: "letters", source: "user" }],
    conflicts: [{ name: "letters" }],
    preinstalled: [],
  });
  expect(catalog.indexed.ignored).toEqual(
    expect.arrayContaining([
      { path: "own/broken", reason: expect.stringMatching(/^[A-Z]/) },
      { path: "own/unit", reason: "no instructions" },
      { path: "own/off", reason: "disabled" },
    ]),
  );
  expect(catalog.indexed.skills.find(({ name }) => name === "quiet")).toMatchObject({
    invocable: false,
    allowed_tools: ["read_file", "run_script", "run_command"],
  });
});

test("the hash of an index is of what a model is shown, and bodies are read only when asked for", async () => {
  await using opened = await openCatalog((at) => [{ source: "user", path: at("users/more") }]);
  await using same = await openCatalog((at) => [{ source: "user", path: at("users/more") }]);
  await using other = await openCatalog((at) => [{ source: "user", path: at("users/letters") }]);
  const { catalog } = opened;
  const [more] = catalog.skills;
  if (more === undefined) throw new Error("it is not there");

  expect(catalog.indexed.index_hash).toBe(same.catalog.indexed.index_hash);
  expect(catalog.indexed.index_hash).not.toBe(other.catalog.indexed.index_hash);
  expect(JSON.stringify(catalog.indexed) + JSON.stringify(catalog.skills)).not.toContain("Body of");
  expect(await catalog.readBody(more)).toMatchObject({ ok: true, body: "Body of more: More of the user.\n" });
  expect(await catalog.isUnchanged(more)).toBe(true);
});

test("a folder that is missing or empty is an index without skills", async () => {
  await using opened = await openCatalog((at) => [{ source: "project", path: at("nowhere") }]);
  expect(opened.catalog.skills).toEqual([]);
  expect(opened.catalog.indexed).toMatchObject({ found: 0, valid: 0, ignored: [], conflicts: [] });
});
