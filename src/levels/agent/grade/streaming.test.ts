import { expect, test } from "vitest";
import { eachYields, grade } from "../../../../test/forged-logs.ts";
import { cleanRun } from "../../../../test/forged-run.ts";

const path = "$.action.payload.content";
const invalid = { ok: false, error: { code: "InvalidModelOutput", message: "no" } };

const announced = { attempt: 1, path: "$.action.type", text: "final_answer" };

eachYields("streaming", "DeltaLate DeltaMismatch DeltaMissing DeltaOutsideAnswer IoBeforeValidation", [
  {
    code: "DeltaMismatch",
    what: "a piece is another",
    change: (run) => run.change("model_delta", { text: "## Oh, no" }),
  },
  { code: "DeltaMismatch", what: "a piece is missing", change: (run) => run.drop("model_delta", 1) },
  {
    code: "DeltaMismatch",
    what: "another type was streamed",
    change: (run) =>
      run.insert("model_delta", "model_delta", { attempt: 1, path: "$.action.type", text: "run_script" }),
  },
  {
    code: "DeltaMissing",
    what: "no piece at all",
    change: (run) => {
      run.events = run.events.filter(({ type }) => type !== "model_delta");
    },
  },
  {
    code: "DeltaOutsideAnswer",
    what: "in a turn that loads",
    change: (run) => run.insert("model_response", "model_delta", { attempt: 1, path, text: "x" }, 1),
  },
  {
    code: "IoBeforeValidation",
    what: "a body",
    change: (run) =>
      run
        .move("action_planned", "model_response")
        .move("action_validated", "model_response")
        .move("skill_loaded", "model_response"),
  },
  {
    code: "DeltaMismatch",
    what: "another type was announced in a turn that did not answer",
    change: (run) => run.insert("model_response", "model_delta", announced, 2),
  },
  {
    code: "DeltaLate",
    what: "all of it came after the reply",
    also: ["streaming DeltaMissing"],
    change(run) {
      const count = run.events.filter(({ type }) => type === "model_delta").length;
      for (let n = 0; n < count; n++) run.move("model_delta", "action_planned", [0, 4]);
    },
  },
  {
    code: "DeltaLate",
    what: "it belongs to an attempt that was never made",
    also: ["streaming DeltaMismatch"],
    change: (run) => run.change("model_delta", { attempt: 2 }),
  },
  {
    code: "IoBeforeValidation",
    what: "a request for approval",
    change: (run) => run.move("approval_required", "model_response", [0, 2]),
  },
  {
    code: "IoBeforeValidation",
    what: "an effect",
    change: (run) => run.move("action_executed", "model_response", [3, 3]),
  },
  {
    code: "IoBeforeValidation",
    what: "no reply was ever accepted",
    change: (run) => run.change("model_response", invalid, 3),
  },
]);

test("it is not applicable to a run that did not stream, unless the case demands to see it", async () => {
  const run = () => {
    const plain = cleanRun({ streaming: false });
    plain.events = plain.events.filter(({ type }) => type !== "model_delta");
    return plain;
  };
  expect(await grade(run())).toMatchObject({
    status: "pass",
    scores: { streaming: { status: "not_applicable" } },
  });
  expect(await grade(run(), { expect: { dimensions: ["streaming"] } })).toMatchObject({
    status: "invalid",
    scores: { streaming: { status: "not_observed" } },
  });
});

test("a recording without texts shows nothing of it", async () => {
  const report = await grade(cleanRun({ recording: "minimal" }));
  expect(report.scores.streaming).toMatchObject({ status: "not_observed", pass: null });
});

test("pieces of a try that broke off, and of a reply that was corrected, are not part of the answer", async () => {
  const run = cleanRun();
  const request = { attempt: 1, try: 1, context_manifest: null, prompt_sha256: null, chars: 10 };
  run.change("model_request", ({ context_manifest }) => void Object.assign(request, { context_manifest }), 4);
  run.change("model_request", ({ chars }) => void Object.assign(request, { chars }), 4);
  const raw = { sha256: null, chars: null };
  const thrownAway = {
    attempt: 1,
    recovered: "none",
    warnings: [],
    raw,
    duration_ms: 1,
    ...invalid,
  } as const;
  run.insert("model_request", "model_request", request, 4);
  run.insert("model_request", "model_delta", { attempt: 1, path, text: "## Do" }, 5);
  run.insert("model_request", "model_response", { ...thrownAway, warnings: [] }, 5);
  expect(await grade(run)).toMatchObject({ status: "pass", scores: { streaming: { status: "pass" } } });
});
