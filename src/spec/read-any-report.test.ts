import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { TriggerReportFile } from "../contract/trigger-report.ts";
import { sampleReport } from "../reporters/sample-report.ts";
import {
  fullTriggerReport,
  sampleEntry,
  sampleLines,
  sampleQueries,
} from "../reporters/sample-trigger-report.ts";
import { triggerJsonReporter } from "../reporters/trigger-json.ts";
import { readAnyReport } from "./read-any-report.ts";

async function read(content: unknown) {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "r.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return readAnyReport(path, "./r.json");
}

const least = {
  schemaVersion: 1,
  command: "trigger",
  tool: { name: "eval-skills", version: "1.0.0" },
  run: { id: "r1" },
  passed: 1,
  total: 2,
  gate: { passed: true },
  results: [
    {
      skillId: "refactor",
      skillDigest: "sha256:x",
      judge: { kind: "model", model: "m" },
      queries: [
        {
          queryId: "a",
          query: "tidy this up",
          side: "should_match",
          verdict: "pass",
          judgments: [{ outcome: "yes" }],
        },
        {
          queryId: "b",
          query: "what is it",
          side: "should_not_match",
          verdict: "invalid",
          cause: "undecided",
        },
      ],
    },
  ],
};

test("a report of trigger comes back as it was written", async () => {
  const text = [...triggerJsonReporter.render(fullTriggerReport, sampleQueries)].join("");

  const report = await read(text);

  expect(report).toEqual(JSON.parse(text));
  expect(TriggerReportFile.safeParse(report).success).toBe(true);
});

test("what a report of trigger leaves out is filled up: the rest of it fits the contract", async () => {
  const report = await read(least);

  expect(TriggerReportFile.parse(report)).toEqual(report);
  expect(report).toMatchObject({
    run: { threshold: 0.5, store: "" },
    results: [
      {
        passed: 0,
        metrics: null,
        queries: [
          {
            skillId: "refactor",
            skillDigest: "sha256:x",
            judge: { kind: "model", model: "m", prompt: null },
            judgments: [{ outcome: "yes", reason: "", usd: null }],
          },
          { cause: "undecided", judgments: [] },
        ],
      },
    ],
  });
});

test("metrics that are empty, as in an abridged example, are undefined ones", async () => {
  const [result] = least.results;
  const report = await read({
    ...least,
    results: [{ ...result, metrics: { query: {}, judgment: {}, baselines: {} } }],
  });

  expect(report).toMatchObject({
    results: [
      { metrics: { query: { recall: null, intervals: { recall: null } }, baselines: { lexical: null } } },
    ],
  });
});

test.each([
  ["a query without a side", { queryId: "a", query: "x", verdict: "pass" }, "$.results[0].queries[0].side"],
  [
    "an unknown verdict",
    { queryId: "a", query: "x", side: "should_match", verdict: "great" },
    "$.results[0].queries[0].verdict",
  ],
  [
    "an unknown cause",
    { queryId: "a", query: "x", side: "should_match", verdict: "invalid", cause: "moon" },
    "$.results[0].queries[0].cause",
  ],
  [
    "a judgment that is none",
    { queryId: "a", query: "x", side: "should_match", verdict: "pass", judgments: [{ outcome: "maybe" }] },
    "$.results[0].queries[0].judgments[0].outcome",
  ],
  [
    "fewer than no answers",
    { queryId: "a", query: "x", side: "should_match", verdict: "pass", yes: -1 },
    "$.results[0].queries[0].yes",
  ],
])("%s is refused with its place", async (_, query, jsonPath) => {
  const [result] = least.results;

  await expect(read({ ...least, results: [{ ...result, queries: [query] }] })).rejects.toMatchObject({
    code: "report-invalid",
    exitCode: 2,
    path: "./r.json",
    jsonPath,
  });
});

test("an error of trigger, and a trigger report of a later version, say what they are", async () => {
  await expect(read({ schemaVersion: 1, command: "trigger", error: { code: "usage" } })).rejects.toThrow(
    "./r.json holds an error of trigger, not a report",
  );
  await expect(read({ ...least, schemaVersion: 2 })).rejects.toThrow("has the schema version 2");
});

test("a report of eval keeps what it says about triggering, in full or in part; an older one says nothing", async () => {
  const [result] = fullTriggerReport.results;
  if (result === undefined) throw new Error("there is one");
  const entry = sampleEntry(
    result,
    sampleLines.filter(({ skillId }) => skillId === result.skillId),
  );
  const part = { skillId: "x", judge: { kind: "router" }, results: [least.results[0]?.queries[0]] };

  expect(await read({ ...sampleReport(), triggering: [entry] })).toMatchObject({ triggering: [entry] });
  expect(await read({ ...sampleReport(), triggering: [part] })).toMatchObject({
    triggering: [
      { skillId: "x", skipped: null, metrics: null, results: [{ queryId: "a", yes: 0, tags: [] }] },
    ],
  });
  expect(await read({ ...sampleReport(), triggering: undefined })).toMatchObject({ triggering: [] });
});
