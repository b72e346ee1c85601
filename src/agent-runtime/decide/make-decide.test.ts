import { expect, test } from "vitest";
import {
  answering,
  decideBy,
  decideWith,
  impatientClock,
  listener,
  question,
} from "../../../test/builders/sample-asking.ts";
import { MockScript } from "../../contract/agent-case.ts";
import type { AgentModel } from "../../contract/agent-parts.ts";
import { neverAborted } from "../../shared/async/abort.ts";
import { makeDecide } from "./make-decide.ts";
import { promptChars, promptText } from "./prompt-text.ts";
import { schemaHint } from "./schema-hint.ts";
import { scriptModel } from "./script-model.ts";

const streamed = { ...question, budget: { ...question.budget, allow_streaming: true } };
const broken = { error: { kind: "http", status: 500 } };

test("a reply that is not an action is asked for once more, with the exact error and the schema", async () => {
  const bad = { raw: '{"action":{"type":"final_answer","payload":{"content":""}}}' };
  const { outcome, requests, responses } = await decideBy([bad, answering("done")]);

  expect(outcome).toMatchObject({ status: "decided", ...answering("done"), attempts: 2, recovered: "none" });
  const problem = "$.action.payload.content must not be empty";
  expect(responses).toMatchObject([
    { attempt: 1, ok: false, error: { code: "InvalidModelOutput", message: problem }, mock: { index: 0 } },
    { attempt: 2, ok: true, mock: { index: 1 } },
  ]);
  const [first, second] = requests.map(({ messages }) => messages);
  expect(first).toEqual(question.messages);
  expect(second?.slice(0, 3)).toEqual([...question.messages, { role: "assistant", text: bad.raw }]);
  expect(second?.at(-1)?.role).toBe("user");
  expect(second?.at(-1)?.text).toContain(`Error: ${problem}\n`);
  expect(second?.at(-1)?.text).toContain(schemaHint);
});

test("a reply that is not an action twice is invalid", async () => {
  const { outcome, responses } = await decideBy([{ raw: "Sure!" }, { raw: "{]" }, answering("late")]);

  expect(outcome).toMatchObject({
    status: "invalid",
    error: {
      code: "InvalidModelOutput",
      message: expect.stringContaining("the reply has no valid JSON object: "),
    },
  });
  expect(responses.map(({ attempt, ok, error }) => [attempt, ok, error?.reason])).toEqual([
    [1, false, "no_object"],
    [2, false, "unexpected_character"],
  ]);
  expect(responses[0]?.raw).toEqual({
    sha256: "sha256:1976e7477a26b6802bad7bcaa8915ab5ac8cd493ee46a065ae282e58ac75015d",
    chars: 5,
  });
});

test("who has no retries left is not corrected", async () => {
  const request = { ...question, budget: { ...question.budget, max_retries: 0 } };
  const { outcome, requests } = await decideBy([{ raw: "" }], { request });

  expect(outcome).toMatchObject({ status: "invalid" });
  expect(requests).toHaveLength(1);
});

test("a correction shows as much of the reply as there is room for", async () => {
  const whole = await decideBy([{ raw: "x".repeat(9000) }, answering("done")]);
  const [, { text = "" } = {}] = whole.requests[1]?.messages.slice(1) ?? [];
  expect(text).toHaveLength(4000);
  expect(text.endsWith("[...truncated...]")).toBe(true);

  const max_context_chars = promptChars(whole.requests[1]?.messages ?? []) - 3000;
  const request = { ...question, budget: { ...question.budget, max_context_chars } };
  const { requests } = await decideBy([{ raw: "x".repeat(9000) }, answering("done")], { request });
  expect(promptText(requests[1]?.messages ?? [])).toHaveLength(max_context_chars);

  const tight = { ...question, budget: { ...question.budget, max_context_chars: 10 } };
  const without = await decideBy([{ raw: "xyz" }, answering("done")], { request: tight });
  expect(without.requests[1]?.messages.map(({ role }) => role)).toEqual(["system", "user", "user"]);
});

test("three failures of the provider end the attempt, and each was a call", async () => {
  const { outcome, requests, responses, pauses } = await decideBy([
    broken,
    broken,
    broken,
    answering("late"),
  ]);

  expect(outcome).toEqual({
    status: "unavailable",
    error: { code: "ModelUnavailable", message: "HTTP 500 (try 3)" },
  });
  expect(requests.map(({ attempt, try: one }) => [attempt, one])).toEqual([
    [1, 1],
    [1, 2],
    [1, 3],
  ]);
  expect(responses).toHaveLength(3);
  expect(responses[0]).toEqual({
    attempt: 1,
    ok: false,
    error: { code: "ModelUnavailable", message: "HTTP 500" },
    recovered: "none",
    warnings: [],
    raw: { sha256: null, chars: null },
    duration_ms: 0,
    mock: { index: 0 },
  });
  expect(pauses).toEqual([500, 1000]);
});

test("the third try may answer; a correction has three tries of its own", async () => {
  const silent = { error: { kind: "timeout" } };
  const gone = { error: { kind: "network" } };
  const turns = [broken, silent, { raw: "no" }, gone, broken, answering("at last")];
  const { outcome, requests, pauses } = await decideBy(turns, { random: 0.5 });

  expect(outcome).toMatchObject({ status: "decided", attempts: 2 });
  expect(requests.map(({ attempt, try: one }) => `${attempt}.${one}`)).toEqual([
    "1.1",
    "1.2",
    "1.3",
    "2.1",
    "2.2",
    "2.3",
  ]);
  expect(pauses).toEqual([250, 500, 250, 500]);
});

test.each([
  [400, 1],
  [401, 1],
  [403, 1],
  [404, 1],
  [408, 3],
  [409, 3],
  [429, 3],
  [503, 3],
])("HTTP %d is tried %d times", async (status, calls) => {
  const { outcome, requests } = await decideBy(Array(4).fill({ error: { kind: "http", status } }));

  expect(outcome).toMatchObject({ status: "unavailable", error: { code: "ModelUnavailable" } });
  expect(requests).toHaveLength(calls);
});

test("a requested pause is made, up to a minute; a provider that wants more is not called again", async () => {
  const busy = (retry_after_ms: number) => ({ error: { kind: "http", status: 429, retry_after_ms } });
  const patient = await decideBy([busy(7000), busy(60_000), answering("done")]);
  expect(patient.outcome.status).toBe("decided");
  expect(patient.pauses).toEqual([7000, 60_000]);

  const { outcome, requests, pauses } = await decideBy([busy(60_001), answering("late")]);
  expect(outcome).toMatchObject({
    error: { message: "HTTP 429; it asks to wait more than 60 s" },
  });
  expect({ requests: requests.length, pauses }).toEqual({ requests: 1, pauses: [] });
});

test("where the model cannot be had the fallback answers, for the rest of the run, and it is reported", async () => {
  const { clock } = impatientClock();
  const fallback = {
    ...scriptModel(MockScript.parse({ turns: [{ raw: "?" }, answering("a"), answering("b")] }), clock),
    id: "other/model",
  };
  const { outcome, requests, responses, decide } = await decideBy([broken, broken, broken], { fallback });

  expect(outcome).toMatchObject({ status: "decided", ...answering("a"), attempts: 2 });
  expect(requests.map(({ attempt, try: one }) => `${attempt}.${one}`)).toEqual([
    "1.1",
    "1.2",
    "1.3",
    "1.4",
    "2.1",
  ]);
  expect(responses.map((response) => response.fallback)).toEqual([
    undefined,
    undefined,
    undefined,
    "other/model",
    "other/model",
  ]);
  const next = listener();
  expect(await decide(question, next.on, neverAborted)).toMatchObject(answering("b"));
  expect(next.requests).toHaveLength(1);
});

test("a fallback that cannot be had either ends it", async () => {
  const { clock } = impatientClock();
  const fallback = scriptModel(MockScript.parse({ turns: Array(3).fill(broken) }), clock);
  const { outcome, requests } = await decideBy([{ error: { kind: "http", status: 401 } }], { fallback });

  expect(outcome).toMatchObject({ status: "unavailable" });
  expect(requests).toHaveLength(4);
});

test("a limit that is used up in the middle of retries ends the decision", async () => {
  const { outcome, requests, responses } = await decideBy([broken, broken, answering("late")], { calls: 2 });

  expect(outcome).toEqual({ status: "exhausted", limit: "max_model_calls" });
  expect([requests.length, responses.length]).toEqual([2, 2]);
});

test("a script that is used up says so", async () => {
  const { outcome, responses } = await decideBy([{ raw: "?" }]);

  expect(outcome).toEqual({ status: "mock-exhausted" });
  expect(responses.at(-1)).toMatchObject({ attempt: 2, ok: false, error: { code: "MockExhausted" } });
});

test("calls are numbered by the answers there were, so that a recording of a bad day can be replayed", async () => {
  const ordinals: number[] = [];
  const { clock } = impatientClock();
  const script = scriptModel(
    MockScript.parse({ turns: [broken, { raw: "?" }, broken, answering("a"), answering("b")] }),
    clock,
  );
  const model: AgentModel = {
    ...script,
    call(request, call) {
      ordinals.push(request.ordinal);
      return script.call(request, call);
    },
  };
  const { decide } = await decideWith(model);
  await decide(question, listener().on, neverAborted);

  expect(ordinals).toEqual([1, 1, 2, 2, 3]);
});

test("the answer is streamed with the attempt it belongs to; pieces of a failed one are not taken back", async () => {
  const cut = { raw: '{"action":{"type":"final_answer","payload":{"content":"half' };
  const { outcome, deltas, early } = await decideBy([cut, answering("whole 🙂")], { request: streamed });

  expect(outcome).toMatchObject({ status: "decided", attempts: 2 });
  const deltaTexts = (attempt: number) =>
    deltas.filter((delta) => delta.attempt === attempt).map(({ text }) => text);
  expect(deltaTexts(1).join("")).toBe("half");
  expect(deltaTexts(2).join("")).toBe("whole 🙂");
  expect(new Set(deltas.map(({ path }) => path))).toEqual(new Set(["$.action.payload.content"]));
  expect(early).toEqual(["final_answer", "final_answer"]);
});

test("a try that breaks off in the middle is forgotten by the next", async () => {
  const { clock } = impatientClock();
  const script = scriptModel(MockScript.parse({ turns: [answering("whole")] }), clock);
  let calls = 0;
  const model: AgentModel = {
    ...script,
    async call(request, call) {
      if (++calls > 1) return script.call(request, call);
      call.onBytes?.(new TextEncoder().encode('{"action":{"type":"final_answer","payload":{"content":"ha'));
      return { status: "failed", fault: "retryable", message: "gone" };
    },
  };
  const { outcome, deltas } = await decideWith(model, { request: streamed });

  expect(outcome).toMatchObject({ status: "decided", ...answering("whole"), attempts: 1 });
  expect(deltas.map(({ text }) => text).join("")).toBe("hawhole");
});

test("names of skills are reported early, and nothing without streaming", async () => {
  const turn = {
    action: { type: "select_skills", payload: { skills: [{ name: "pdf" }], reason: "a form" } },
  };

  expect((await decideBy([turn], { request: streamed })).early).toEqual(["select_skills", "pdf"]);
  const { early, deltas } = await decideBy([turn]);
  expect({ early, deltas }).toEqual({ early: [], deltas: [] });
});

test("a model that cannot stream is reported in one piece", async () => {
  const { clock } = impatientClock();
  const script = scriptModel(MockScript.parse({ turns: [answering("all at once")] }), clock);
  const model: AgentModel = {
    ...script,
    call: (request, { signal }) => script.call(request, { signal }),
  };

  expect((await decideWith(model, { request: streamed })).deltas.map(({ text }) => text)).toEqual([
    "all at once",
  ]);
});

test("text around the object is skipped and reported; unknown members too", async () => {
  const raw = `Here it is:\n${JSON.stringify({ thought: "hm", ...answering("done") })}\nBye {`;
  const { outcome, responses } = await decideBy([{ raw }]);

  expect(outcome).toMatchObject({ status: "decided", recovered: "extracted" });
  expect(responses[0]).toMatchObject({ ok: true, recovered: "extracted" });
  expect(responses[0]?.warnings.at(-1)).toBe("not known and ignored: $.thought");
  expect(responses[0]?.warnings.length).toBeGreaterThan(1);
});

test("an object behind a brace that nothing closes is found, streamed or not", async () => {
  const raw = `a { b ${JSON.stringify(answering("done"))}`;
  for (const request of [question, streamed])
    expect((await decideBy([{ raw }], { request })).outcome).toMatchObject({
      status: "decided",
      recovered: "extracted",
      ...answering("done"),
    });
});

test("a reply that is too long fails the attempt, whatever it says", async () => {
  const request = { ...question, budget: { ...question.budget, max_output_chars: 80 } };
  const { responses } = await decideBy([answering("x".repeat(80)), answering("y")], { request });

  expect(responses[0]?.error).toMatchObject({
    reason: "too_long",
    message: "the reply has no valid JSON object: longer than 80 characters",
  });
});

test("what a listener throws comes out, and is no failure of the model", async () => {
  const { clock } = impatientClock();
  const model = scriptModel(MockScript.parse({ turns: [answering("done")] }), clock);
  const { on } = listener();
  const full = new Error("no space left");
  const decide = makeDecide(model, { clock, random: () => 0 });
  const delta = () => {
    throw full;
  };

  await expect(decide(streamed, { ...on, delta }, neverAborted)).rejects.toBe(full);
});

test("an interruption ends the waiting", async () => {
  const stop = new AbortController();
  const reason = new Error("the user wants to stop");
  const clock = { now: () => 0, monotonic: () => 0, sleep: () => Promise.reject(reason) };
  const model = scriptModel(MockScript.parse({ turns: [broken] }), clock);
  const decide = makeDecide(model, { clock, random: () => 0 });

  await expect(decide(question, listener().on, stop.signal)).rejects.toBe(reason);
});
