import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { programs } from "../../../test/programs.ts";
import { judgedSkill, questionAbout } from "../../../test/sample-judging.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { forEachLimited } from "../../shared/async/each-of.ts";
import { agentProject } from "./agent-project.ts";
import { agentJudge, type TriggerAgent } from "./judges/agent-judge.ts";
import { processAgent } from "./process-agent.ts";

// The judge must be as good as the agent it observes: a perfect agent gets perfect scores, whatever else it does.

const { signal } = new AbortController();
const words = { invoices: "invoices", "invoices-archive": "archives", slides: "slides" };
const installed = { invoices: "invoice-tools", "invoices-archive": "invoices-old", slides: "slides" };
const catalog = Object.entries(installed).map(([id, name]) => judgedSkill(id, {}, [name]));
const [tested = judgedSkill("invoices")] = catalog;

const positives = Array.from(
  { length: 30 },
  (_, index) => `please do something about my invoices, number ${index}`,
);
const negatives = Array.from(
  { length: 30 },
  (_, index) =>
    ["make some slides, number", "what is the weather today, number", "open the archives, number"].map(
      (text) => `${text} ${index}`,
    )[index % 3],
) as string[];

/** How often a skill that should fire did, and how often one that should not. */
async function judged(agent: TriggerAgent, workers: number, queries = 30) {
  await using folder = await temporaryFolder();
  for (const [id, name] of Object.entries(installed)) {
    const dir = join(folder.path, name);
    mkdirSync(dir);
    const about = words[id as keyof typeof words];
    writeFileSync(
      join(dir, "SKILL.md"),
      `---\nname: ${id}\ndescription: Knows everything about ${about}.\n---\nDo it.\n`,
    );
    writeFileSync(join(dir, "eval.yaml"), "triggering: { should_match: [please] }\n");
  }
  const projects = new Set<string>();
  const skills = Object.values(installed).map((name) => ({ dir: join(folder.path, name) }));
  const make = agentProject({ skills, hidden: [] });
  const openProject = async (stop: AbortSignal) => {
    const project = await make(stop);
    projects.add(project.path);
    return project;
  };
  const judge = agentJudge({ agent, catalog, openProject });
  const counts = { recalled: 0, falselyTriggered: 0, chosen: new Set<string | null | undefined>() };
  const all = [...positives.slice(0, queries), ...negatives.slice(0, queries)];
  await forEachLimited(all, workers, async (text) => {
    const answer = await judge.judge(questionAbout(tested, text), signal);
    if (answer.outcome !== "yes" && answer.outcome !== "no") throw new Error(JSON.stringify(answer));
    if (answer.outcome === "yes") counts[positives.includes(text) ? "recalled" : "falselyTriggered"]++;
    counts.chosen.add(answer.chosen);
  });
  expect(projects.size).toBe(all.length);
  return { ...counts, chosen: [...counts.chosen].sort() };
}

/** Looks through the skills of its project and takes the one whose description ends in a word of the request. */
function perfect(
  activatedName: (folder: string, instructions: string) => string,
  before: string[] = [],
): TriggerAgent {
  return {
    name: "perfect",
    identity: "perfect",
    async run({ query, project }) {
      const root = join(project, ".claude/skills");
      const taken = readdirSync(root).flatMap((folder) => {
        expect(readdirSync(join(root, folder))).toEqual(["SKILL.md"]);
        const text = readFileSync(join(root, folder, "SKILL.md"), "utf8");
        const word = / about (\w+)\.$/m.exec(text)?.[1] ?? "?";
        return query.includes(word) ? [activatedName(folder, text)] : [];
      });
      return { status: "answered", activated: [...before, ...taken] };
    },
  };
}

const byId = (_folder: string, text: string) => /^name: (.*)$/m.exec(text)?.[1] ?? "?";
const byFolder = (folder: string) => folder;
const perfectScores = {
  recalled: 30,
  falselyTriggered: 0,
  chosen: ["invoices", "invoices-archive", "slides", null].sort(),
};

describe("a perfect agent has recall 30 of 30 and no false trigger", () => {
  test.each<[string, TriggerAgent, number]>([
    ["one worker, by the installed name", perfect(byFolder), 1],
    [
      "ten workers, by the id, another tool and a skill nobody knows first",
      perfect(byId, ["Bash", "invoice"]),
      10,
    ],
  ])("%s", async (_name, agent, workers) => {
    expect(await judged(agent, workers)).toEqual(perfectScores);
  });

  test.each(["skill", "read", "line", "skill first"])("a real program that tells by: %s", async (how) => {
    const command = `/bin/sh ${programs}/agent.sh ${how}`;
    await using agent = processAgent({ command, timeoutMs: 20_000, env: process.env });

    expect(await judged(agent, 10, 6)).toMatchObject({ recalled: 6, falselyTriggered: 0 });
  });
});

test("a name that only begins like the skill's, or that the skill's begins with, is another's", async () => {
  const activating = (...names: string[]): TriggerAgent => ({
    name: "scripted",
    identity: "scripted",
    run: async () => ({ status: "answered", activated: names }),
  });
  const ask = async (...names: string[]) =>
    agentJudge({
      agent: activating(...names),
      catalog,
      openProject: async () => ({ path: "/nowhere", [Symbol.asyncDispose]: async () => {} }),
    }).judge(questionAbout(tested), signal);

  expect(await ask("invoices-archive")).toMatchObject({ outcome: "no", chosen: "invoices-archive" });
  expect(await ask("invoice", "Invoices", "plugin:invoices")).toMatchObject({ outcome: "no", chosen: null });
  expect(await ask("slides", "invoices")).toMatchObject({ outcome: "yes", chosen: "invoices" });
  expect(await ask()).toMatchObject({ outcome: "no", reason: "activated no skill", chosen: null });
});

test("an agent that fails or runs out of time is an error, whatever it did before, and its project is gone", async () => {
  let removed = 0;
  const ask = (run: TriggerAgent["run"]) =>
    agentJudge({
      agent: { name: "scripted", identity: "scripted", run },
      catalog,
      openProject: async () => ({ path: "/nowhere", [Symbol.asyncDispose]: async () => void removed++ }),
    }).judge(questionAbout(tested), signal);

  expect(await ask(async () => ({ status: "failed", message: "no key" }))).toMatchObject({
    outcome: "error",
    code: "agent",
    message: "no key",
  });
  expect(await ask(async () => ({ status: "timed-out", message: "too slow" }))).toMatchObject({
    outcome: "error",
    code: "timeout",
  });
  expect(await ask(() => Promise.reject(new Error("broken")))).toMatchObject({
    outcome: "error",
    message: "broken",
  });
  expect(removed).toBe(3);
});
