import { expect, test } from "vitest";
import { examined } from "../../test/examined-skill.ts";
import { promptToolFiles, promptToolFolder } from "../../test/prompt-tool-files.ts";
import { routableSkill } from "./routable-skill.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

async function routable(files: Files, folder: string) {
  const { skill } = await examined(files, { folder, profile: "lenient" });
  if (skill === null) throw new Error("no skill");
  return routableSkill(skill);
}

test("a prompt with tools is found by everything its manifest says about routing", async () => {
  const files = promptToolFiles({
    meta: { id: promptToolFolder, name: "发票核对", description: "Checks", priority: 5, group: "财务" },
    routing: {
      hosts: ["writer", "et"],
      tags: ["tax"],
      intents: ["check"],
      triggers: ["核对发票"],
      examples: ["one", { user: "two" }],
    },
    output: { markers: ["x"], output_schema: "my.plan", styleSpecHints: { size: 12, font: "song" } },
    "x-not_for": ["开票"],
  });

  expect(await routable(files, promptToolFolder)).toEqual({
    id: promptToolFolder,
    aliases: [],
    name: "发票核对",
    kind: "prompt-tool",
    group: "财务",
    description: "Checks",
    tags: ["tax"],
    intents: ["check"],
    triggers: ["核对发票"],
    notFor: ["开票"],
    examples: ["one", "two"],
    outputSchema: "my.plan",
    styleHints: '{"font":"song","size":12}',
    hosts: ["writer", "et"],
    priority: 5,
    isEnabled: true,
    hasPrompt: true,
    toolNames: [],
  });
});

test("hosts that hold a star are every host", async () => {
  expect(
    (await routable(promptToolFiles({ routing: { hosts: ["writer", "*"] } }), promptToolFolder)).hosts,
  ).toEqual([]);
});

test.for<[string, Files, object]>([
  ["a prompt is there", promptToolFiles({}), { isEnabled: true, hasPrompt: true }],
  [
    "it is switched off",
    promptToolFiles({ meta: { id: promptToolFolder, name: "x", enabled: false } }),
    { isEnabled: false, hasPrompt: true },
  ],
  [
    "it is an agent skill",
    { "SKILL.md": `---\nname: ${promptToolFolder}\ndescription: Checks invoices\n---\nRead.\n` },
    { kind: "agent-skill", isEnabled: true, hasPrompt: true },
  ],
  [
    "no model may invoke it",
    {
      "SKILL.md": `---\nname: ${promptToolFolder}\ndescription: Checks\ndisable-model-invocation: true\n---\nRead.\n`,
    },
    { isEnabled: false },
  ],
])("where %s", async ([, files, expected]) => {
  expect(await routable(files, promptToolFolder)).toMatchObject(expected);
});

test("the folder it is installed in is another name of a skill", async () => {
  const files = { "SKILL.md": "---\nname: checker\ndescription: Checks\n---\nRead.\n" };

  expect(await routable(files, "installed")).toMatchObject({ id: "checker", aliases: ["installed"] });
});

test("a prompt with tools whose prompt is nowhere has nothing to give", async () => {
  const { skill } = await examined(promptToolFiles({}), { folder: promptToolFolder });

  expect(skill && routableSkill({ ...skill, instructions: null }).hasPrompt).toBe(false);
});
