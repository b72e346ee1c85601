import { expect, test } from "vitest";
import { writtenPosition } from "./written-position.ts";

const yaml = `# asks
models:
  lab:
    baseUrl: https://lab.example # a baseUrl
    "apiKeyEnv": KEY

envKeys: [A, B]
cases:
- id: a
  constraints:
    network_hosts:
      - a.example
      - b.example
-   id: b
    note: |
      constraints: no key
    constraints:
      network_hosts: [c.example]
`;
const list = '[\n  { "id": "a" },\n  { "id": "b", "evaluator": { "command": "x" } }\n]\n';
const flow = "{ models: { lab: { baseUrl: x } } }";

test.each([
  ["models.lab.baseUrl", 4, 5],
  ["models.lab.apiKeyEnv", 5, 5],
  ["models.lab.other", 3, 3],
  ["envKeys.1", 7, 1],
  ["cases.0.constraints.network_hosts.1", 13, 7],
  ["cases.1.id", 14, 5],
  ["cases.1.constraints.network_hosts.0", 18, 7],
  ["cases.2", 8, 1],
])("%s of YAML is at %i:%i", (way, line, column) => {
  expect(writtenPosition(yaml, steps(way))).toEqual({ line, column });
});

test("JSON is found exactly, a list at its top, too", () => {
  expect(writtenPosition(list, steps("1.evaluator.command"))).toEqual({ line: 3, column: 31 });
  expect(writtenPosition(list, steps("1.expectedOutput"))).toEqual({ line: 3, column: 3 });
});

test("in JSON lines, items of a bare list and those below a head are found by line", () => {
  const tasks = '{"id":"a"}\n\n{"id":"b", "value":1}\n';
  const head = `{"id":"mine", "version":"1"}\n${tasks}`;
  const find = (text: string, steps: PropertyKey[]) => writtenPosition(text, steps, { isLines: true });

  expect(find(tasks, [1, "value"])).toEqual({ line: 3, column: 12 });
  expect(find(head, ["tasks", 1, "value"])).toEqual({ line: 4, column: 12 });
  expect(find(head, ["version"])).toEqual({ line: 1, column: 15 });
  expect(find(head, ["tasks", 7])).toBeNull();
});

test("what cannot be found has no position, or that of what holds it", () => {
  expect(writtenPosition(flow, steps("models.lab"))).toEqual({ line: 1, column: 1 });
  expect(writtenPosition("", steps("models"))).toBeNull();
  expect(writtenPosition(yaml, steps("other"))).toBeNull();
});

function steps(way: string): PropertyKey[] {
  return way.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}
