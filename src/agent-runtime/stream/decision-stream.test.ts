import { expect, test } from "vitest";
import { sampleReplies } from "../../../test/builders/sample-replies.ts";
import { type DecisionListener, decisionStream } from "./decision-stream.ts";

function listen(text: string, size = 5): string[] {
  const events: string[] = [];
  const names = ["type", "skill", "source", "content", "plan"] as const;
  const on: DecisionListener = Object.fromEntries(
    names.map((name) => [
      name,
      (value: unknown) => events.push(`${name} ${typeof value === "string" ? value : JSON.stringify(value)}`),
    ]),
  );
  const stream = decisionStream({ maxChars: 1000, on });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size));
  stream.end();
  return events;
}

function joinAnswer(events: readonly string[]): string {
  return events
    .flatMap((line) => (line.startsWith("content ") ? line.slice("content ".length) : []))
    .join("");
}

test("an answer is reported as it comes", () => {
  const events = listen(
    '{"action":{"type":"final_answer","payload":{"content":"one two three"}},"plan_update":null}',
  );
  expect(events[0]).toBe("type final_answer");
  expect(events.filter((line) => line.startsWith("content ")).length).toBeGreaterThan(2);
  expect(events.at(-1)).toBe("plan null");
});

test("an answer before its type waits for it, and comes at once", () => {
  expect(listen('{"action":{"payload":{"content":"one two three"},"type":"final_answer"}}')).toEqual([
    "type final_answer",
    "content one two three",
  ]);
});

test.for(sampleReplies())("the parts add up to the answer: $name", ({ text, content }) => {
  for (const size of [1, 12, 10_000]) expect(joinAnswer(listen(text, size))).toBe(content);
});

test.for([
  '{"action":{"type":"call_tool","payload":{"content":"secret"}}}',
  '{"action":{"payload":{"content":"secret"},"type":"call_tool"}}',
  '{"action":{"payload":{"content":"secret"},"type":"shout"}}',
  '{"action":{"payload":{"content":"secret"},"type":7}}',
  '{"action":{"payload":{"content":"secret"}}}',
  '{"action":{"payload":{"content":"secret"},"ty',
  '{"payload":{"content":"secret"},"type":"final_answer"}',
  '{"action":{"type":"final_answer","payload":{"content":["secret"]}}}',
])("text that is not an answer is not reported: %s", (text) => {
  expect(joinAnswer(listen(text))).toBe("");
});

test("only a known type is reported", () => {
  expect(listen('{"action":{"type":"shout"}}')).toEqual([]);
  expect(listen('{"action":{"type":["final_answer"]}}')).toEqual([]);
});

test("skills and the plan are reported once they are known", () => {
  const skills = [{ name: "pdf", source: "user" }, { name: "notes" }, { name: 7 }];
  const update = { mode: "patch", ops: [{ op: "set", path: "/goal", value: "x" }] };
  const action = { type: "select_skills", payload: { skills } };
  expect(listen(JSON.stringify({ plan_update: update, action }))).toEqual([
    `plan ${JSON.stringify(update)}`,
    "type select_skills",
    "skill pdf",
    "source user",
    "skill notes",
  ]);
});

test("nobody has to listen", () => {
  const stream = decisionStream({ maxChars: 1000, on: {} });
  stream.write(Buffer.from('{"action":{"type":"final_answer","payload":{"content":"x"}},"plan_update":1}'));
  expect(stream.end().ok).toBe(true);
});
