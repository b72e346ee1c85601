import { expect, test } from "vitest";
import { answering, decideWith, question } from "../../../test/builders/sample-asking.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import type { ModelFault } from "../../contract/model.ts";
import { recording, replayModel } from "../../models/cassette.ts";
import { type MockLine, mockModel } from "../../models/mock.ts";
import { neverAborted } from "../../shared/async/abort.ts";
import { bridgedModel } from "./model-bridge.ts";

const settings = { trial: 2, temperature: 0 };
const reply = JSON.stringify(answering("fertig 🙂🙂🙂🙂🙂🙂"));

test("a model is asked in the roles that every provider knows, with schema, trial and number of the call", async () => {
  const model = mockModel([reply]);
  await bridgedModel(model, { ...settings, maxOutputTokens: 500 }).call(
    {
      messages: [
        { role: "system", text: "rules" },
        { role: "developer", text: "state" },
        { role: "user", text: "request" },
        { role: "developer", text: "notice" },
        { role: "assistant", text: "{" },
        { role: "user", text: "no" },
      ],
      schema: { type: "object" },
      ordinal: 7,
    },
    { signal: neverAborted },
  );

  expect(model.requests).toEqual([
    {
      messages: [
        { role: "system", text: "rules\n\nstate" },
        { role: "user", text: "request\n\nnotice" },
        { role: "assistant", text: "{" },
        { role: "user", text: "no" },
      ],
      temperature: 0,
      maxOutputTokens: 500,
      schema: { type: "object" },
      trial: 2,
      ordinal: 7,
    },
  ]);
});

test("its pieces become bytes, also where a piece ends inside a character", async () => {
  const usage = { promptTokens: 10, completionTokens: 5, totalTokens: 15, costUsd: 0.01 };
  const request = { ...question, budget: { ...question.budget, allow_streaming: true } };
  for (const shift of ["", " "]) {
    const model = bridgedModel(mockModel([{ text: shift + reply, usage }]), settings);
    const { outcome, deltas, responses } = await decideWith(model, { request });

    expect(outcome).toMatchObject({
      status: "decided",
      ...answering("fertig 🙂🙂🙂🙂🙂🙂"),
      recovered: "none",
    });
    expect(deltas.map(({ text }) => text).join("")).toBe("fertig 🙂🙂🙂🙂🙂🙂");
    expect(responses[0]?.usage).toEqual({ input_tokens: 10, output_tokens: 5, cost_usd: 0.01 });
  }
});

test.each<[ModelFault, number, object]>([
  ["timeout", 3, { status: "unavailable", error: { code: "ModelUnavailable" } }],
  ["rate-limited", 3, { status: "unavailable" }],
  ["unavailable", 3, { status: "unavailable" }],
  [
    "refused",
    1,
    { status: "unavailable", error: { code: "ModelUnavailable", message: "scripted: refused" } },
  ],
  ["bad-reply", 1, { status: "unavailable" }],
  ["not-recorded", 1, { status: "unavailable", error: { code: "CassetteMiss" } }],
  ["budget", 1, { status: "exhausted", limit: "max_cost_usd" }],
])("the fault %s is met %d times and ends as it should", async (fault, calls, wanted) => {
  const model = mockModel(Array<MockLine>(4).fill({ fault }));
  const { outcome, requests } = await decideWith(bridgedModel(model, settings));

  expect(outcome).toMatchObject(wanted);
  expect(requests).toHaveLength(calls);
});

test("a recorded run is answered from its recordings although a try had failed, and a missing one is a miss", async () => {
  await using folder = await temporaryFolder();
  const of = { provider: "mock", model: "model" };
  const real = mockModel([{ fault: "unavailable" }, "not yet", reply]);
  const recorded = recording(real, { folder: folder.path, of, redact: (text) => text });
  const first = await decideWith(bridgedModel(recorded, settings));
  expect(first.outcome).toMatchObject({ status: "decided", attempts: 2 });

  const replay = replayModel({ id: "mock/model", identity: null, folder: folder.path, of });
  const again = await decideWith(bridgedModel(replay, settings));
  expect(again.outcome).toEqual(first.outcome);
  expect(again.requests).toHaveLength(2);

  const other = await decideWith(bridgedModel(replay, { ...settings, trial: 3 }));
  expect(other.outcome).toMatchObject({
    status: "unavailable",
    error: {
      code: "CassetteMiss",
      message: expect.stringMatching(
        /^no recording of call 1 of this run \([0-9a-f]{64}\.json\); record it again with --record$/,
      ),
    },
  });
  expect(other.responses).toMatchObject([{ ok: false, error: { code: "CassetteMiss" } }]);
});

test("where the recording is of the fallback, the fallback is replayed", async () => {
  const missing = bridgedModel(mockModel([{ fault: "not-recorded" }]), settings);
  const fallback = bridgedModel(mockModel([reply], { id: "other/model" }), settings);

  expect((await decideWith(missing, { fallback })).outcome).toMatchObject({ status: "decided" });
});
