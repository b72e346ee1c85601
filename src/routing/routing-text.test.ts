import { expect, test } from "vitest";
import { sampleSkill } from "../../test/builders/sample-catalog.ts";
import { routingText } from "./routing-text.ts";

const rich = sampleSkill({
  id: "invoice-check",
  name: "发票核对",
  group: "财务",
  description: "Checks invoices.\n",
  tags: ["tax", " "],
  intents: ["check"],
  triggers: Array.from({ length: 25 }, (_, n) => `t${n}`),
  examples: Array.from({ length: 8 }, (_, n) => `Example ${n}`),
  outputSchema: "s".repeat(300),
  styleHints: "😀".repeat(300),
  notFor: ["never shown"],
});

test("a routing text is made of what the manifest says, in order, each part on its line", () => {
  const { text, written } = routingText(rich);

  expect(text.split("\n")).toEqual([
    "invoice-check",
    "发票核对",
    "财务",
    "Checks invoices.",
    "tax",
    "check",
    ...Array.from({ length: 20 }, (_, n) => `t${n}`),
    ...Array.from({ length: 6 }, (_, n) => `Example ${n}`),
    "s".repeat(200),
    "😀".repeat(200),
  ]);
  expect(written).toBe(text);
});

test("an agent skill is found by its name and its card alone", () => {
  const { text } = routingText({ ...rich, kind: "agent-skill", name: rich.id, triggers: ["t0"] });

  expect(text).toBe("invoice-check\nChecks invoices.\nt0");
});

test("a long text is cut to 2,000 characters with the mark, and the mark is nobody's word", () => {
  const whole = routingText(sampleSkill({ id: "x", description: "好".repeat(1998) }));
  const long = routingText(sampleSkill({ id: "x", description: "𠮷".repeat(1999) }));

  expect([...whole.text]).toHaveLength(2000);
  expect(whole.text.endsWith("好")).toBe(true);
  expect([...long.text]).toHaveLength(2000);
  expect(long.text.endsWith("𠮷[...truncated...]")).toBe(true);
  expect(long.written.endsWith("𠮷")).toBe(true);
});

test("an example can be left out, however it is spaced or cased, and no other takes its place", () => {
  const { text } = routingText(rich, " example  1 ");

  expect(text).not.toContain("Example 1");
  expect(text).not.toContain("Example 6");
  expect(text).toContain("Example 5");
});
