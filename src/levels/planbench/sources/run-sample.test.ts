import { expect, test } from "vitest";
import { PlanEvidence } from "../../../contract/planbench-report.ts";
import { type MockLine, mockModel } from "../../../models/mock.ts";
import { compileContract } from "../../../scorers/output-contract.ts";
import { neverAborted } from "../../../shared/async/abort.ts";
import type { Json } from "../../../shared/json/json.ts";
import { modelSource, planOpening } from "./model-source.ts";
import { type Executed, type Generated, type PlanSource, scriptedSource } from "./plan-source.ts";
import { runSample, type SampleOptions } from "./run-sample.ts";
import { scoreSample } from "./score-sample.ts";

const good = { v: 1, steps: ["a"] };
const bad = { v: 2, steps: [] };
const contract = compileContract({
  markers: [],
  maxChars: null,
  schemas: [
    {
      name: "plan",
      schema: {
        type: "object",
        required: ["v", "steps"],
        properties: { v: { const: 1 }, steps: { type: "array", minItems: 1 } },
      },
    },
  ],
});
if (!contract.ok) throw new Error(contract.problem);

const defaultOptions: Omit<SampleOptions, "source"> = {
  check: contract.check,
  executor: null,
  maxRepairs: 5,
  timeoutMs: 60_000,
  isTimed: true,
  skills: { selected: ["desk"], skills: { desk: "sha256:0" } },
};

/** The evidence of a sample, and its outcome after it was stored and read back. */
async function tryOut(source: PlanSource, options: Partial<SampleOptions> = {}) {
  const all = { ...defaultOptions, ...options, source };
  const evidence = await runSample(all, neverAborted);
  const stored = PlanEvidence.parse(JSON.parse(JSON.stringify(evidence)));
  expect(stored).toEqual(evidence);
  return { ...evidence, ...scoreSample(stored, { ...all, hasExecutor: all.executor !== null }) };
}

test.each<[string, Json[], object]>([
  [
    "a valid plan at once",
    [good],
    { outcome: "ok", repairs: 0, violations: [], output: JSON.stringify(good) },
  ],
  ["after repairs", [bad, "{", good], { outcome: "ok", repairs: 2, violations: [] }],
  ["white space around it", [` \n${JSON.stringify(good)}\n`], { outcome: "ok", repairs: 0 }],
  ["an empty object is not a plan", [{}], { outcome: "fail", repairs: null, output: "{}" }],
  ["another version is not a plan", [{ ...good, v: 0 }], { outcome: "fail" }],
  ["a key that stands twice", ['{"v":1,"v":1,"steps":["a"]}'], { outcome: "fail" }],
  ["a plan in a fence", [`\`\`\`json\n${JSON.stringify(good)}\n\`\`\``], { outcome: "fail" }],
  ["nothing at all", [""], { outcome: "fail", output: "" }],
  ["a plan in the last repair", [bad, bad, bad, bad, bad, good], { outcome: "ok", repairs: 5 }],
  ["a plan that comes too late", [bad, bad, bad, bad, bad, bad, good], { outcome: "fail" }],
])("%s", async (_, outputs, expected) => {
  const sample = await tryOut(scriptedSource(outputs));

  expect(sample).toMatchObject({ ...expected, fault: null, selected: ["desk"] });
  expect(sample.attempts.length).toBe((sample.repairs ?? 5) + 1);
});

test("without repairs there is one attempt", async () => {
  const sample = await tryOut(scriptedSource([bad, good]), { maxRepairs: 0 });

  expect(sample).toMatchObject({ outcome: "fail", attempts: [{ valid: false }] });
  expect(sample.violations).toEqual([
    { pointer: "/v", reason: "must be equal to constant: 1" },
    { pointer: "/steps", reason: "must NOT have fewer than 1 items" },
  ]);
});

test("a repair is the beginning, the previous output and what was wrong with it, and nothing else", async () => {
  const model = mockModel([JSON.stringify(bad), "", JSON.stringify(good)]);
  const opening = planOpening({ prompts: ["Rules.", " ", "More."], host: "wps", input: "Do it" });
  await tryOut(modelSource({ model, temperature: 0.5, opening, sample: 2 }));

  const beginning = [
    { role: "system", text: "Rules.\n\nMore.\n\nhost_app: wps" },
    { role: "user", text: "Do it" },
  ];
  expect(model.requests).toEqual([
    { messages: beginning, temperature: 0.5, trial: 2, ordinal: 0 },
    {
      messages: [
        ...beginning,
        { role: "assistant", text: '{"v":2,"steps":[]}' },
        {
          role: "user",
          text: "Violations:\n- /v: must be equal to constant: 1\n- /steps: must NOT have fewer than 1 items",
        },
      ],
      temperature: 0.5,
      trial: 2,
      ordinal: 1,
    },
    {
      messages: [
        ...beginning,
        { role: "assistant", text: "(empty)" },
        {
          role: "user",
          text: expect.stringMatching(/^Violations:\n- \(whole output\): is not one JSON value/),
        },
      ],
      temperature: 0.5,
      trial: 2,
      ordinal: 2,
    },
  ]);
});

test("ten violations are reported and kept, however many there are", async () => {
  const model = mockModel(["x", JSON.stringify(good)]);
  const many = Array.from({ length: 40 }, (_, n) => ({ pointer: `/${n}`, reason: "no" }));
  let checks = 0;
  const sample = await tryOut(modelSource({ model, temperature: 0, opening: [], sample: 1 }), {
    check: () => (checks++ === 0 ? many : []),
  });

  expect(sample.attempts[0]?.violations).toEqual(many.slice(0, 10));
  expect(model.requests[1]?.messages[1]?.text.split("\n")).toHaveLength(11);
});

const usage = (totalTokens: number | null) => ({
  promptTokens: null,
  completionTokens: null,
  totalTokens,
  costUsd: null,
});

test.each<[string, MockLine[], object]>([
  [
    "tokens are those of the first attempt and of the repairs",
    [
      { text: "{}", usage: usage(100), latencyMs: 40, answeredBy: "m-1" },
      { text: JSON.stringify(good), usage: usage(30), latencyMs: 20 },
    ],
    { tokens: { first: 100, repairs: 30, total: 130 }, firstMs: 40, attempts: [{ answeredBy: "m-1" }, {}] },
  ],
  [
    "they are unknown where one attempt does not tell",
    [{ text: "{}", usage: usage(100) }, JSON.stringify(good)],
    { tokens: null, outcome: "ok" },
  ],
  [
    "a provider that fails leaves no outcome",
    ["{}", { fault: "unavailable", message: "HTTP 500" }],
    { outcome: "error", fault: { cause: "provider-error", message: "HTTP 500" }, attempts: [{}] },
  ],
  [
    "so does a call that was not recorded",
    [{ fault: "not-recorded" }],
    { outcome: "error", fault: { cause: "cassette-miss" }, attempts: [], firstMs: null },
  ],
])("%s", async (_, lines, expected) => {
  const model = mockModel(lines);
  const sample = await tryOut(modelSource({ model, temperature: 0, opening: [], sample: 1 }));

  expect(sample).toMatchObject(expected);
});

test("past the deadline a sample has failed, in the midst of an attempt as well", async () => {
  const model = mockModel(["{}", { silent: true }]);
  const sample = await tryOut(modelSource({ model, temperature: 0, opening: [], sample: 1 }), {
    timeoutMs: 30,
  });

  expect(sample).toMatchObject({
    outcome: "fail",
    repairs: null,
    tokens: null,
    attempts: [{ valid: false }],
    violations: [{ pointer: "", reason: "no valid plan within 30 ms" }],
  });
  const silent = mockModel([{ silent: true }]);
  expect(
    await tryOut(modelSource({ model: silent, temperature: 0, opening: [], sample: 1 }), { timeoutMs: 5 }),
  ).toMatchObject({ outcome: "fail", attempts: [], firstMs: null });
});

test("an interruption is thrown, and is no outcome", async () => {
  const stop = new AbortController();
  const model = mockModel([{ silent: true }]);
  const source = modelSource({ model, temperature: 0, opening: [], sample: 1 });
  const running = runSample({ ...defaultOptions, source }, stop.signal);
  stop.abort(new Error("stop it"));

  await expect(running).rejects.toThrow("stop it");
});

/** An executor that ends like this, one call after the other, and records its input. */
function executor(...ends: Executed[]) {
  const handed: string[] = [];
  return {
    handed,
    async run(plan: string) {
      handed.push(plan);
      return ends[handed.length - 1] as Executed;
    },
  };
}

test("only what is valid is carried out; what cannot be is a violation for the next repair", async () => {
  const model = mockModel(["{}", JSON.stringify(good), JSON.stringify({ ...good, note: 2 })]);
  const desk = executor(
    { status: "failed", kind: "error", message: "execution failed: no cell A1", ms: 3 },
    { status: "done", ms: 2 },
  );
  const sample = await tryOut(modelSource({ model, temperature: 0, opening: [], sample: 1 }), {
    executor: desk,
  });

  expect(sample).toMatchObject({ outcome: "ok", repairs: 2 });
  expect(sample.attempts.map(({ valid, executed }) => [valid, executed])).toEqual([
    [false, null],
    [true, false],
    [true, true],
  ]);
  expect(desk.handed).toEqual([JSON.stringify(good), JSON.stringify({ ...good, note: 2 })]);
  expect(model.requests[2]?.messages.at(-1)?.text).toBe(
    "Violations:\n- (whole output): execution failed: no cell A1",
  );
});

test("an executor that cannot be started says nothing about the plan", async () => {
  const desk = executor({ status: "refused", message: "no sandbox" });

  expect(await tryOut(scriptedSource([good]), { executor: desk })).toMatchObject({
    outcome: "error",
    fault: { cause: "sandbox-refused", message: "no sandbox" },
  });
});

/** A source that answers once, as a service does. */
function service(
  words: Partial<Extract<Generated, { status: "generated" }>["service"]>,
  output: object = good,
) {
  const source: PlanSource = {
    canRepair: false,
    generate: async () => ({
      status: "generated",
      output: JSON.stringify(output),
      ms: 7,
      tokens: null,
      answeredBy: null,
      service: { claimedOk: true, repairs: 0, events: { progress: 2 }, problem: null, ...words },
    }),
  };
  return source;
}

test.each<[string, PlanSource, object]>([
  ["its repairs count", service({ repairs: 2 }), { outcome: "ok", repairs: 2, firstMs: null }],
  ["at once is at once", service({}), { outcome: "ok", repairs: 0, firstMs: 7, events: { progress: 2 } }],
  [
    "more repairs than are allowed are a failure",
    service({ repairs: 6 }),
    { outcome: "fail", violations: [{ reason: "needed more than the 5 allowed repairs" }] },
  ],
  [
    "our validation decides, whatever it claims",
    service({ claimedOk: true }, bad),
    { outcome: "fail", service: { claimedOk: true }, attempts: [{}] },
  ],
  [
    "also where it claims too little",
    service({ claimedOk: false }),
    { outcome: "ok", service: { claimedOk: false } },
  ],
  [
    "no plan is a failure, in its words",
    service({ problem: "there is no plan: busy", claimedOk: false }),
    { outcome: "fail", violations: [{ pointer: "", reason: "there is no plan: busy" }] },
  ],
  [
    "a plan after nobody knows how many attempts is no outcome",
    service({ repairs: null }),
    {
      outcome: "error",
      fault: { cause: "provider-error", message: "final_result has no attempt_count of 1 or more" },
    },
  ],
])("of a service: %s", async (_, source, expected) => {
  expect(await tryOut(source)).toMatchObject(expected);
});

/** An executor that always succeeds. */
const willing = () => ({ run: async () => ({ status: "done", ms: 1 }) as const });

test.each<[string, Json[], Partial<SampleOptions>, object]>([
  [
    "a plan that the rules of today refuse has failed",
    [good],
    { check: () => [{ pointer: "/v", reason: "must be 3" }] },
    { outcome: "fail", violations: [{ pointer: "/v", reason: "must be 3" }] },
  ],
  ["one that they accept is ok", [bad], { check: () => [] }, { outcome: "ok", repairs: 5 }],
  [
    "unless it would have to be carried out, which it was not",
    [bad],
    { check: () => [], executor: willing() },
    { outcome: "error", fault: { cause: "not-observed" } },
  ],
])("decided anew: %s", async (_, outputs, rules, expected) => {
  const { executor = null, check = defaultOptions.check } = rules;
  const evidence = await runSample(
    { ...defaultOptions, executor, source: scriptedSource(outputs) },
    neverAborted,
  );

  expect(scoreSample(evidence, { check, maxRepairs: 5, hasExecutor: executor !== null })).toMatchObject(
    expected,
  );
});

test("of an output that is too long to be stored whole, what was found when it came counts", async () => {
  const long = (v: number) => JSON.stringify({ ...good, v, note: "x".repeat(1024 * 1024) });

  expect(await tryOut(scriptedSource([long(1)]))).toMatchObject({ outcome: "ok", isOutputCut: true });
  expect(await tryOut(scriptedSource([long(2)]))).toMatchObject({
    outcome: "fail",
    violations: [{ pointer: "/v" }],
  });
});
