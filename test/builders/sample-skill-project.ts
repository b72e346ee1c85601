import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What is wrong with a skill, at the level that finds it. */
export type Breakage = "unit" | "trigger" | "agent" | "conversation" | "untested";

export interface SkillProject {
  /** How many skills. Every fourth is a prompt with a tool, the others are skills for agents that can be called. */
  skills: number;
  /** By the number of the skill, from 0. */
  broken: Readonly<Record<number, Breakage>>;
  /** How long a skill thinks about each task. */
  pauseMs?: number;
}

/** The breakage of one skill in twenty, one level after the other. */
export function oneInTwenty(skills: number): Record<number, Breakage> {
  const kinds: readonly Breakage[] = ["unit", "trigger", "agent", "conversation"];
  const broken: Record<number, Breakage> = {};
  for (let n = 0; n * 20 < skills; n++) {
    const kind = kinds[n % kinds.length] ?? "unit";
    broken[n * 20 + (kind === "conversation" ? 3 : 1)] = kind;
  }
  return broken;
}

/** `skill-007`. */
export function skillName(n: number): string {
  return `skill-${String(n).padStart(3, "0")}`;
}

/** A word that only one skill knows, so that words alone decide which one a request is for. */
function ownWord(n: number): string {
  return `zorb${[...String(n).padStart(3, "0")].map((digit) => "aeioukmnst"[Number(digit)]).join("")}ix`;
}

/** Writes a project whose skills have tests at four levels, all of which pass but those that are broken on purpose. */
export function writeSkillProject(folder: string, { skills, broken, pauseMs = 0 }: SkillProject): void {
  const write = (path: string, content: unknown) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  };
  write("eval-skills.config.yaml", "skills: { roots: [./skills] }\n");
  for (let n = 0; n < skills; n++) {
    const files = n % 4 === 3 ? promptWithTool(n, broken[n]) : callableSkill(n, broken[n], pauseMs);
    for (const [name, content] of Object.entries(files)) write(`skills/${skillName(n)}/${name}`, content);
  }
}

function callableSkill(n: number, broken: Breakage | undefined, pauseMs: number): Record<string, unknown> {
  const name = skillName(n);
  const description = `Files ${ownWord(n)} forms. Use it for everything about ${ownWord(n)}.`;
  const files = {
    "SKILL.md": `---\nname: ${name}\ndescription: ${description}\nlicense: MIT\n---\n\n# How\n\nFile the ${ownWord(n)} form.\n`,
    "skill.json": {
      ...{ id: name, name, version: "1.0.0", description, adapterType: "subprocess" },
      ...{ entrypoint: "node skill.mjs", metadata: { lifecycle: "persistent" } },
    },
    "skill.mjs": program(broken === "unit" ? "params.a * params.b" : "params.a + params.b", pauseMs),
  };
  if (broken === "untested") return files;
  const chosen = broken === "agent" ? [] : [select(name)];
  return {
    ...files,
    "tests/basic.eval.json": [
      { id: "small", inputData: { a: 1, b: 2 }, expectedOutput: { type: "exact", value: 3 } },
      { id: "zero", inputData: { a: 0, b: 0 }, expectedOutput: { type: "exact", value: 0 } },
    ],
    "eval.yaml": {
      triggering: queries(n, broken),
      cases: [
        {
          id: "picks-it",
          input: `file the ${ownWord(n)} form`,
          expect: { skills_all_of: [name] },
          mock: { turns: [...chosen, { action: { type: "final_answer", payload: { content: "filed" } } }] },
        },
      ],
    },
  };
}

/** Adds two numbers, a request a line. */
function program(sum: string, pauseMs: number): string {
  return `import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { id, params } = JSON.parse(line);
  await new Promise((done) => setTimeout(done, ${pauseMs}));
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: ${sum} }));
}
`;
}

function select(name: string) {
  const payload = { skills: [{ name, source: "project" }], reason: "it is about that" };
  return { action: { type: "select_skills", payload } };
}

function promptWithTool(n: number, broken: Breakage | undefined): Record<string, unknown> {
  const name = skillName(n);
  const tool = `repeat_${n}`;
  const description = `Repeats ${ownWord(n)} notes. Use it for everything about ${ownWord(n)}.`;
  const files = {
    "skill.json": {
      schema_version: "ah32.skill.v1",
      meta: { id: name, name, version: "1.0.0", description },
      entry: { system_prompt: "SYSTEM.md" },
      routing: { tags: [], triggers: [`repeat the ${ownWord(n)}`], examples: [] },
      tools: [
        {
          name: tool,
          description: "Gives the note back",
          parameters: { type: "object", properties: { note: { type: "string" } }, required: ["note"] },
        },
      ],
    },
    "SYSTEM.md": `Call the tool \`${tool}\` for every ${ownWord(n)} note, then give its result.\n`,
    [`scripts/${tool}.py`]: `def ${tool}(note: str) -> dict:\n    return {"result": note}\n`,
  };
  if (broken === "untested") return files;
  const called = broken === "conversation" ? [] : [{ call: { name: tool, arguments: { note: "hello" } } }];
  return {
    ...files,
    "eval.yaml": {
      triggering: queries(n, broken),
      cases: [
        {
          id: "repeats-it",
          kind: "conversation",
          input: `repeat the ${ownWord(n)} note: hello`,
          mock: { turns: [...called, { final: "hello" }] },
          expect: { skills_all_of: [name], tool_calls: [{ name: tool, result: "ok" }] },
        },
      ],
    },
  };
}

function queries(n: number, broken: Breakage | undefined) {
  const missed = broken === "trigger" ? ["which train goes to the sea tomorrow?"] : [];
  return {
    should_match: [
      `file or repeat the ${ownWord(n)} forms and notes`,
      `everything about ${ownWord(n)} forms and notes`,
      ...missed,
    ],
    should_not_match: ["what is the weather like in Paris?", "write a poem about an old bridge"],
  };
}
