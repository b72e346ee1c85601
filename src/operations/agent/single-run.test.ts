import { expect, test } from "vitest";
import { redactor } from "../../shared/text/redact.ts";
import { redactedLive } from "./single-run.ts";

test("a secret is not shown, also where it comes in pieces", () => {
  const secrets = ["sk-0123456789abcdef"];
  const shown: string[] = [];
  const live = redactedLive(
    {
      delta: (text) => shown.push(text),
      event: (turn, type, data) => shown.push(`${turn} ${type} ${JSON.stringify(data)}`),
    },
    secrets,
    redactor(secrets),
  );
  for (const piece of ["the key: sk-01234", "56789abc", "def!", " ok"]) live.delta?.(piece);
  live.event?.(1, "error_occurred", { code: "IOError", message: "sk-0123456789abcdef", fatal: false });
  live.delta?.("next");
  live.event?.(2, "turn_finished", { outcome: "answered" });
  expect(shown.join("")).toBe(
    'the key: [redacted]! ok1 error_occurred {"code":"IOError","message":"[redacted]","fatal":false}next2 turn_finished {"outcome":"answered"}',
  );
});
