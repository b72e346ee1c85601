import { expect, test } from "vitest";
import {
  answered,
  converseBy,
  sampleHosts,
  sampleSkill,
  say,
} from "../../../test/builders/sample-session.ts";
import type { TelemetryContext } from "../../contract/telemetry.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { conversationTelemetry } from "./conversation-telemetry.ts";

test("a conversation is reported step by step in names, lengths and counts, never in its words", async () => {
  const reported: { name: string; payload: JsonObject; context: TelemetryContext }[] = [];
  const telemetry = conversationTelemetry(
    { emit: (name, payload, context = {}) => void reported.push({ name, payload, context }) },
    { run_id: "r", session_id: "s" },
  );
  const markers = ["A-mark", "B-mark", "C-mark", "D-mark"];
  const skills = [
    sampleSkill(
      "counting",
      { word_count: null },
      { prompt: "SECRET RULES", output: { markers: markers.slice(0, 3) } },
    ),
    sampleSkill("other", {}, { output: { markers } }),
  ];
  telemetry.selected({ skills, forced: true, routing: null });
  const hosts = sampleHosts(answered({ text: "SECRET RESULT" }));
  const turns = [
    say("word_count", { text: "SECRET ARGUMENT" }),
    say("nobody"),
    { final: "SECRET ANSWER A-mark" },
  ];
  const { record } = await converseBy(turns, { skills, hosts, request: "SECRET REQUEST", listen: telemetry });
  telemetry.applied(skills, record.final);

  expect(reported.map(({ name }) => name)).toEqual([
    "skills.selected",
    "chat.turn_start",
    ...["chat.llm_call", "tool.call_start", "tool.call_done"],
    ...["chat.llm_call", "tool.call_start", "tool.call_done"],
    "chat.llm_call",
    "chat.turn_done",
    "skills.applied",
  ]);
  expect(JSON.stringify(reported)).not.toContain("SECRET");
  const [selected, started] = reported;
  expect(selected?.payload).toMatchObject({
    ...{ mode: "forced", forced: true, injected_chars: 26, truncated: false, excluded: [] },
    ...{ catalog_sha256: null, query_sha256: null },
    skills: [
      {
        id: "counting",
        version: "1.0.0",
        priority: 0,
        score: null,
        lex: null,
        emb: null,
        phrase: null,
        text: null,
      },
      { id: "other" },
    ],
  });
  expect(started).toEqual({
    name: "chat.turn_start",
    payload: { message_len: 14, bench: true, has_frontend_context: false },
    context: { run_id: "r", session_id: "s", turn_id: "1" },
  });
  expect(reported[4]).toMatchObject({
    payload: { tool: "word_count", skill: "counting", ok: true, code: null, injected: [], repeat: false },
    context: { skill_id: "counting" },
  });
  expect(reported[7]?.payload).toMatchObject({
    tool: "nobody",
    skill: null,
    ok: false,
    code: "unknown-tool",
  });
  expect(reported.at(-2)?.payload).toEqual({
    ...{ ok: true, chat_ms: 0, first_token_ms: null, llm_total_ms: expect.any(Number) },
    ...{ token_usage: null, cancelled: false, error: null },
  });
  // One of three is a third of them, one of four is not.
  expect(reported.at(-1)?.payload).toEqual({
    applied_ids: ["counting"],
    selected_ids: ["counting", "other"],
  });
});
