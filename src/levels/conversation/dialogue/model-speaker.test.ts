import { expect, test } from "vitest";
import { handClock } from "../../../../test/builders/sample-session.ts";
import type { Model, ModelCall, ModelOutcome, ModelRequest } from "../../../contract/model.ts";
import { neverAborted } from "../../../shared/async/abort.ts";
import { modelSpeaker } from "./speakers.ts";

const usage = { promptTokens: 10, completionTokens: 2, totalTokens: 12, costUsd: 0.1 };
const messages = [{ role: "user" as const, text: "hi" }];
const call = { results: [], signal: neverAborted };

/** A model that answers so, in pieces, ten milliseconds after each other. */
function modelSaying(...outcomes: ModelOutcome[]) {
  const clock = handClock();
  const requests: ModelRequest[] = [];
  const model: Model = {
    ...{ id: "lab/small", identity: {} },
    async call(request: ModelRequest, { onText }: ModelCall) {
      requests.push(request);
      const outcome = outcomes[requests.length - 1] as ModelOutcome;
      for (const piece of outcome.status === "answered" ? outcome.text : "") {
        clock.pass(10);
        onText?.(piece);
      }
      return outcome;
    },
  };
  return {
    requests,
    speaker: modelSpeaker(model, { trial: 2, temperature: 0.5, maxOutputTokens: 99, clock }),
  };
}

const reply = {
  status: "answered" as const,
  text: "yes",
  finishReason: "stop" as const,
  usage,
  latencyMs: 30,
};

test("a reply has its words, its usage and its times", async () => {
  const { speaker, requests } = modelSaying({ ...reply, answeredBy: "small-2" });

  expect(await speaker.reply(messages, call)).toEqual({
    ...{ status: "answered", text: "yes", ms: 30, firstTokenMs: 10, usage, answeredBy: "small-2" },
  });
  expect(requests).toEqual([{ messages, temperature: 0.5, maxOutputTokens: 99, trial: 2, ordinal: 1 }]);
  expect([speaker.id, speaker.unused()]).toEqual(["lab/small", null]);
});

test("what comes from a cache has no time of a first word", async () => {
  const { speaker } = modelSaying({ ...reply, isCached: true });
  expect(await speaker.reply(messages, call)).toMatchObject({ firstTokenMs: null });
});

test("replies are counted, for recordings to keep them apart, and failures are not", async () => {
  const failed = { status: "failed", fault: "unavailable", message: "HTTP 500", latencyMs: 1 } as const;
  const { speaker, requests } = modelSaying(reply, failed, reply);
  for (let n = 0; n < 3; n++) await speaker.reply(messages, call);
  expect(requests.map(({ ordinal }) => ordinal)).toEqual([1, 2, 2]);
});

test("a failure is a value, and a missing recording is one of its own", async () => {
  const file = `${"0".repeat(64)}.json`;
  const { speaker } = modelSaying(
    { status: "failed", fault: "unavailable", message: "HTTP 500", latencyMs: 1 },
    {
      status: "failed",
      fault: "not-recorded",
      message: `/home/me/cassettes/${file} is missing`,
      latencyMs: 1,
    },
  );

  expect(await speaker.reply(messages, call)).toEqual({
    ...{ status: "failed", fault: "model-failed", message: "HTTP 500", ms: 0 },
  });
  expect(await speaker.reply(messages, call)).toMatchObject({
    fault: "cassette-miss",
    message: `no recording of call 1 of this run (${file}); record it again with --record`,
  });
});
