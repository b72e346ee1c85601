import { expect, test } from "vitest";
import { agentCell, agentDocument } from "../../../test/agent-document.ts";
import { finalTurn, sampleRecord } from "../../../test/builders/sample-conversation.ts";
import { reportFile } from "../../../test/sample-report-file.ts";
import { asJson, detailsIn } from "../../contract/agent-details.ts";
import type { CaseReport } from "../../contract/document.ts";
import { conversationView } from "./view.ts";

const cell = agentCell({
  level: "conversation",
  output: asJson({ record: sampleRecord({ unused_turns: 2 }), contract: null, aliases: {} }),
});

test("a conversation is explained by what was said in it", () => {
  const caseReport = { input: "检查合同" } as CaseReport;
  const blocks = conversationView.explain?.(cell, caseReport) ?? [];
  expect(blocks.find(({ kind }) => kind === "timeline")).toMatchObject({
    events: [
      { label: "user", text: "检查合同" },
      { label: "skills" },
      { label: "model" },
      { label: "tool risk_detector" },
      { label: "model", text: "共 3 处风险" },
    ],
  });
  const long = agentCell({
    ...{
      level: "conversation" as const,
      caseId: "a b",
      details: asJson({ ...detailsIn(cell), runDir: null }),
    },
    output: asJson({
      record: sampleRecord({ turns: [finalTurn(1, "a word ".repeat(5000))] }),
      contract: null,
      aliases: {},
    }),
  });
  expect(conversationView.explain?.(long, caseReport).find(({ kind }) => kind === "timeline")).toMatchObject({
    note: expect.stringMatching(
      /^Left out: 11,\d+ characters of 1 text\. All of it: eval-skills report show <file> --case 'a b' --json$/,
    ),
  });
  expect(blocks.at(-1)).toMatchObject({
    title: "Run",
    facts: expect.arrayContaining([
      { label: "Skills", value: "contract-review" },
      { label: "Scripted replies not used", value: 2, unit: "count", tone: "warn" },
    ]),
  });
  expect(
    conversationView.explain?.({ ...cell, output: null }, caseReport).some(({ kind }) => kind === "timeline"),
  ).toBe(false);
});

test("each dimension has a figure of its own, and one that was never observed has none", async () => {
  const rate = { value: 0.5, numerator: 2, denominator: 4, interval: null };
  const [subject] = (await agentDocument([agentCell()])).subjects;
  if (subject === undefined) throw new Error("there is a subject");
  const details = {
    isScripted: true,
    conversations: { cells: 4, hit: rate, calls: { ...rate, value: null } },
  };
  expect(conversationView.subjectBlocks?.({ ...subject, details }, reportFile({}))).toEqual([
    {
      kind: "facts",
      title: "Figures",
      facts: [
        {
          label: "Right skills selected",
          value: 0.5,
          unit: "share",
          interval: null,
          note: "2 of 4 conversations",
        },
      ],
    },
  ]);
});

test("skills that were edited during a run are named", () => {
  const { run, ...rest } = reportFile({});
  const report = { ...rest, run: { ...run, settings: { mixedSkillVersion: ["tea-desk"] } } };
  const [section] = conversationView.sections?.(report, () => []) ?? [];
  expect(section).toMatchObject({
    title: "Skills edited during the run",
    blocks: [{ kind: "text", text: "tea-desk", tone: "bad" }],
  });
});
