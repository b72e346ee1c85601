import { expect, test } from "vitest";
import { readModuleReply } from "./score-reply.ts";

test.each([
  ["in a strict sandbox", "file:///skill/scorers/a.mjs:3:28"],
  ["in the folder of the suite", "file:///home/me/suites/scorers/a.mjs:3:28"],
])("where a scorer threw is named from the folder of its suite: %s", (_, place) => {
  const reply = { kind: "threw", message: "oh", stack: `Error: oh\n    at score (${place})` };
  expect(readModuleReply(JSON.stringify(reply), 1, "/home/me/suites")).toMatchObject({
    message: "the scorer threw: oh (at scorers/a.mjs:3:28)",
    details: { scorerStack: "at score (scorers/a.mjs:3:28)" },
  });
});
