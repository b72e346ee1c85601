import type { PlannedCase, Subject } from "../src/contract/cell.ts";
import type { LevelFold } from "../src/contract/level.ts";
import type { PlanEvidence } from "../src/contract/planbench-report.ts";
import { noTelemetry } from "../src/contract/telemetry.ts";
import type { SuiteContext } from "../src/engine/prepared-run.ts";
import type { ContractEvidence } from "../src/levels/contract/details.ts";
import { contractFold } from "../src/levels/contract/fold.ts";
import { contractLevel } from "../src/levels/contract/level.ts";
import { planbenchLevel } from "../src/levels/planbench/level.ts";
import { planbenchSuite, type SuiteBench } from "../src/levels/planbench/suite.ts";
import { triggerFold } from "../src/levels/trigger/fold.ts";
import { triggerLevel } from "../src/levels/trigger/level.ts";
import type { TriggerSubject } from "../src/levels/trigger/subject.ts";
import { unitLevel } from "../src/levels/unit/level.ts";
import { agentMaterial, conversationMaterial } from "./case-materials.ts";
import { casesNamed, type LevelMaterial, sampleCases, sampleTrials } from "./level-material.ts";
import { toyLevel } from "./toy-level.ts";

function skill(skillId: string): Subject {
  return { skillId, skillVersion: "1.0.0", skillDigest: `sha256:${skillId}`, model: null, arm: null };
}

const brokenContract = {
  check: "doctor",
  rule: "SKM01",
  severity: "error",
  isBreach: true,
  file: "SKILL.md",
  line: 3,
  column: 1,
  fix: "write it again",
} as const;

const contractCases = casesNamed("", () => ({ title: null }));

const contract: LevelMaterial = {
  level: contractLevel,
  suite: "contract",
  subjects: [skill("calc"), skill("abacus")],
  casesOf: () => contractCases,
  fold: contractFold,
  own({ status, reason }, _, { skillId }) {
    const output: ContractEvidence = {
      findings: status === "fail" ? [{ ...brokenContract, message: reason ?? "is missing" }] : [],
      counts: { findings: status === "fail" ? 1 : 0, breaches: status === "fail" ? 1 : 0 },
      unexamined: status === "invalid" ? [{ file: "a.bin", reason: "cannot be read" }] : [],
    };
    return {
      output: status === "error" || status === "timeout" ? null : output,
      details: { folder: `skills/${skillId}` },
    };
  },
  gated: "completionRate",
};

const unitCases = casesNamed("case-", () => ({
  input: { operation: "factorial", n: 5 },
  expected: { type: "exact", value: 120, steps: [1, 2, 6, 24, 120], note: "one line" },
}));

const unit: LevelMaterial = {
  level: unitLevel,
  suite: "arithmetic",
  subjects: [skill("calc"), skill("abacus"), skill("slide-rule")],
  casesOf: () => unitCases,
  own: ({ status }, { tags }) => ({
    output: status === "error" ? null : { value: status === "pass" ? 120 : 0, steps: [1, 2, 6], extra: true },
    details: { scorerType: "exact_match", weight: 1, tags: [...tags] },
  }),
  gated: "completionRate",
  settings: { runs: sampleTrials, retries: 1, timeoutMs: 30_000, evaluator: "exact_match" },
};

const judgeName = {
  kind: "catalog",
  model: "lab/judge",
  prompt: "trigger-catalog/1",
  label: "catalog",
  why: "a model is named",
} as const;
const triggerSkills = ["notes", "review", "weather"].map((id): TriggerSubject => {
  const queries = sampleCases.map((name, at) => ({
    id: `${id}-${name}`,
    text: `please take notes, number ${at}`,
    side: at % 2 === 0 ? ("should_match" as const) : ("should_not_match" as const),
    tags: ["daily"],
    belongsTo: at % 2 === 0 ? null : "review",
    place: { file: "eval.yaml" },
  }));
  const facts = {
    skill: { id },
    digest: `sha256:${id}`,
    queries,
    judge: null,
    judgeName,
    repeats: sampleTrials,
  };
  return {
    ...facts,
    ...{ skipped: null, threshold: 0.5, gate: { recall: 0.9 }, cardSha256: "c4", agreement: null },
  } as unknown as TriggerSubject;
});
const triggerCases = new Map(
  triggerSkills.map(({ skill: { id }, queries }) => [
    id,
    queries.map(
      (query): PlannedCase => ({
        ...{ id: query.id, digest: `sha256:${query.id}`, title: null, tags: query.tags, weight: 1 },
        ...{ input: query.text, expected: { side: query.side, belongsTo: query.belongsTo } },
      }),
    ),
  ]),
);

const trigger: LevelMaterial = {
  level: triggerLevel,
  suite: "triggering",
  subjects: triggerSkills.map(({ skill: { id } }) => ({ ...skill(id), model: judgeName.model })),
  casesOf: ({ skillId }) => triggerCases.get(skillId ?? "") ?? [],
  fold: () =>
    triggerFold(triggerSkills, {
      ...{ seed: 0, catalogSha256: "ca7", redact: (value) => value, allowsInconclusive: true },
      lexical: { route: async () => ({ skills: [] }) } as never,
    }),
  own({ status, reason, trial }, { expected }, { skillId }) {
    const { side } = expected as { side: "should_match" | "should_not_match" };
    const effort = { repeat: trial - 1, ms: 90, tokensIn: 200, tokensOut: 10, usd: 0.0002, cached: false };
    if (status === "error" || status === "timeout")
      return { output: null, details: { side, outcome: "error" } };
    if (status === "invalid")
      return {
        output: { ...effort, outcome: "error", code: "quota", message: reason ?? "" },
        details: { side, outcome: "error" },
      };
    const isYes = (status === "pass") === (side === "should_match");
    const chosen = isYes ? skillId : "review";
    const outcome = isYes ? "yes" : "no";
    return {
      output: { ...effort, outcome, reason: reason ?? "it says so", chosen },
      details: { side, outcome, chosen },
    };
  },
  gated: "passRate",
  settings: { triggering: { repeats: sampleTrials, threshold: 0.5, skipped: [] } },
};

const benchCases = (["routed", "forced", "fixed"] as const).flatMap((stratum) =>
  casesNamed(`${stratum}-`, () => ({
    input: "Move the books about tea to shelf A1.",
    expected: { schema: "shelf.v1" },
  })).map((one) => ({
    ...one,
    loaded: { id: one.id, stratum, host: "writer", tags: ["daily"] },
    chosen: { selected: ["shelf-plans"], skills: { "shelf-plans": "sha256:shelf" }, prompts: [] },
    target: null,
    identity: one.id,
  })),
);
const benchSuite = () =>
  planbenchSuite(
    {
      bench: {
        file: { id: "shelf", timeout_ms: 1000 },
        schema: { digest: "sha256:schema" },
        path: "bench.yaml",
      },
      cases: benchCases,
      samples: sampleTrials,
      executorIdentity: null,
      target: { id: "lab/small" },
      executor: null,
      containment: { level: "process", backend: null, network: "open", unproven: [] },
      isolation: null,
      seed: 0,
      onAnswer: () => {},
      inputs: [],
    } as unknown as SuiteBench,
    { telemetry: noTelemetry, run: { id: "run" } } as SuiteContext,
  );

const planbench: LevelMaterial = {
  level: planbenchLevel,
  suite: "shelf",
  subjects: benchSuite().subjects,
  casesOf: ({ arm }) => benchCases.filter(({ loaded }) => loaded.stratum === arm),
  fold: () => benchSuite().fold as LevelFold,
  own({ status, reason }, _, { arm }) {
    const isOk = status === "pass";
    const violations =
      status === "fail" ? [{ pointer: "/steps/0/shelf", reason: reason ?? "is missing" }] : [];
    const evidence: PlanEvidence = {
      attempts: [
        { valid: false, ms: 20, tokens: 210, violations, executed: null, answeredBy: "small-2" },
        { valid: isOk, ms: 17, tokens: 210, violations, executed: null, answeredBy: "small-2" },
      ],
      output: '{"steps":[]}',
      isOutputCut: false,
      problem: null,
      executionError: null,
      overdueMs: status === "timeout" ? 1000 : null,
      fault: status === "invalid" ? { cause: "model-unavailable", message: reason ?? "quota" } : null,
      service: null,
      events: { plan_ready: 1 },
      firstMs: 20,
      tokens: { first: 210, repairs: 210, total: 420 },
      selected: ["shelf-plans"],
      skills: { "shelf-plans": "sha256:shelf" },
    };
    const outcome = isOk ? "ok" : status === "fail" ? "fail" : "error";
    return {
      output: evidence,
      details: { route: arm, host: "writer", tags: ["daily"], outcome, repairs: isOk ? 1 : null, violations },
    };
  },
  gated: "successRate",
  settings: {
    ...{ bench: "shelf", model: "lab/small", answeredBy: ["small-2"], parameters: { temperature: 0 } },
    ...{ samples: sampleTrials, maxRepairs: 2, schema: { name: "shelf.v1", digest: "sha256:schema" } },
    ...{ skills: { "shelf-plans": "sha256:shelf" }, isolation: null, includePlan: true },
  },
};

const toyCases = casesNamed("case-", (id) => ({ title: null, input: id, expected: id }));

const toy: LevelMaterial = {
  level: toyLevel,
  suite: "palindromes",
  subjects: [skill("mirror"), skill("echo")],
  casesOf: () => toyCases,
  own: ({ status }, { id }) => ({
    output: status === "error" ? null : status === "pass" ? id : [...id].reverse().join(""),
    details: { letters: id.length },
  }),
  gated: "completionRate",
};

/** What samples are made of; a new level adds its own here. */
export const levelMaterials: readonly LevelMaterial[] = [
  contract,
  unit,
  trigger,
  agentMaterial,
  conversationMaterial,
  planbench,
  toy,
];
