import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { Diagnostics } from "../../../contract/diagnostics.ts";
import type { LoadedBenchCase } from "../../../contract/planbench-file.ts";
import { openRouter } from "../../../routing/open-router.ts";
import { neverAborted } from "../../../shared/async/abort.ts";
import type { Json } from "../../../shared/json/json.ts";
import { describeSkill } from "../../../skills/describe-skill.ts";
import { SkillFolder } from "../../../skills/folder/skill-folder.ts";
import { routableSkill } from "../../../skills/routable-skill.ts";
import { outputChecks } from "../prepare.ts";
import { loadBench } from "./load-bench.ts";

const folder = resolve(import.meta.dirname, "../../../../benchmarks/planbench");
const bench = await loadBench(null, { cwd: join(folder, "skills"), bundledDir: folder });
const checkOf = outputChecks(bench);
const asText = (output: Json) => (typeof output === "string" ? output : JSON.stringify(output));

/** Each case with what it gives, attempt by attempt, and what is wrong with such a text. */
const scripts = bench.cases.map((one) => ({
  one,
  outputs: (one.mock ?? one.outputs ?? []).map(asText),
  check: checkOf(one),
}));
const ofModels = scripts.filter(({ one }) => one.source === "model");

test("the bundled bench has thirty cases over three programs, in two languages and three tables", () => {
  const count = (is: (one: LoadedBenchCase) => boolean) => bench.cases.filter(is).length;
  expect(bench.warnings).toEqual([]);
  expect(bench.file).toMatchObject({ id: "quick", target: { type: "model", model: "mock" } });
  expect(bench.schema.name).toBe("ah32.plan.v1");
  expect(["wps", "et", "wpp"].map((host) => count((one) => one.host === host))).toEqual([12, 10, 8]);
  const tables = ["routed", "forced", "fixed"].map((name) => count(({ stratum }) => stratum === name));
  expect(tables).toEqual([18, 8, 4]);
  expect(count(({ input }) => /\p{Script=Han}/u.test(input))).toBeGreaterThanOrEqual(12);
  expect(new Set(bench.cases.map(({ input }) => input)).size).toBe(30);
});

test("every output of a script but the last is refused, and the last is a plan for its program", () => {
  for (const { one, outputs, check } of scripts) {
    const last = outputs.at(-1) ?? "";
    expect(check(last), one.id).toEqual([]);
    expect(JSON.parse(last).host_app, one.id).toBe(one.host);
    for (const output of outputs.slice(0, -1)) expect(check(output), `${one.id}: ${output}`).not.toEqual([]);
  }
});

test("most scripts need no repair, some one, a few more", () => {
  const needing = (repairs: number) =>
    ofModels.filter(({ outputs }) => outputs.length - 1 === repairs).length;
  expect([0, 1, 2, 3].map(needing)).toEqual([17, 7, 1, 1]);
});

test("each request is met by its own plan and by no other: what it adds to the schema bites", () => {
  const plans = ofModels.map(({ one, outputs }) => ({ id: one.id, plan: outputs.at(-1) ?? "" }));
  for (const { one, check } of ofModels) {
    const accepted = plans.filter(({ plan }) => check(plan).length === 0).map(({ id }) => id);
    expect(accepted).toEqual([one.id]);
  }
});

test("every routed request gets the skill that writes such plans, by its words alone", async () => {
  const skills = await Promise.all(readdirSync(join(folder, "skills")).map(skillAt));
  const settings = { cjk: "bigrams", minScore: 0.2, k: 4 } as const;
  for (const { id, input, host = "", tags, stratum } of bench.cases) {
    if (stratum !== "routed") continue;
    const ofTexts = tags.includes("style") || tags.includes("replace") ? "style-plans" : "text-plans";
    const meant = { wps: ofTexts, et: "sheet-plans", wpp: "slide-plans" }[host];
    const router = openRouter({
      skills,
      filters: { host, groups: [], allow: [] },
      settings,
      embedding: null,
    });
    const routing = await router.route({ query: input }, neverAborted);
    expect(routing.skills.find(({ rank }) => rank === 1)?.id, id).toBe(meant);
  }
});

async function skillAt(name: string) {
  const diagnostics = new Diagnostics("strict", name);
  const skill = await describeSkill(new SkillFolder(join(folder, "skills", name)), "project", diagnostics);
  if (skill === null) throw new Error(`${name} cannot be read`);
  return routableSkill(skill);
}
