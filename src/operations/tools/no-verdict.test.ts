import { expect, test } from "vitest";
import { answered, sampleHosts, sampleSkill } from "../../../test/builders/sample-session.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import type { Containment } from "../../contract/containment.ts";
import type { HostedTool, ToolOutcome } from "../../contract/tool-host.ts";
import { neverAborted } from "../../shared/async/abort.ts";
import { makeCall } from "./call-tool.ts";
import { checkTool } from "./check-tool.ts";
import { toolCheckReport } from "./check-tools.ts";
import { toolChecks } from "./tool-check.ts";
import { toolSamples } from "./tool-samples.ts";

const refused: ToolOutcome = {
  latencyMs: 0,
  status: "invalid",
  cause: "sandbox-refused",
  message: "no within",
};
const containment: Containment = { level: "process", backend: null, network: "open", unproven: [] };

function toolIn(dir: string): HostedTool {
  return sampleSkill("notes", { t: { type: "object", properties: { a: { type: "string" } } } }, { dir })
    .tools[0] as HostedTool;
}

test("a call that the sandbox did not let begin has no line and no verdict: exit 3", async () => {
  await using folder = await temporaryFolder();

  const end = await makeCall(
    toolIn(folder.path),
    { arguments: {}, document: null },
    sampleHosts(refused),
    neverAborted,
  );

  expect(end).toMatchObject({ envelope: null, problem: "no within", exitCode: 3 });
});

test.each<[what: string, load: ToolOutcome, call: ToolOutcome, statuses: string]>([
  ["loading", refused, refused, "invalid pass invalid invalid invalid invalid pass"],
  ["calling", answered({}), refused, "pass pass invalid skipped skipped skipped pass"],
])("where the sandbox refuses %s, nobody is blamed: exit 3", async (_, load, call, statuses) => {
  await using folder = await temporaryFolder();
  const tool = toolIn(folder.path);
  const hosts = { ...sampleHosts(call), load: async () => load };
  const bad: ToolOutcome = { latencyMs: 0, status: "failed", cause: "bad-arguments", message: "" };
  const closed = sampleHosts(answered({}), bad);
  const schemas = { given: {}, cwd: folder.path };
  const setup = {
    fresh: hosts,
    persistent: hosts,
    closed,
    concurrency: 1,
    schemas,
    exclude: [],
    signal: neverAborted,
  };

  const checks = await checkTool({ tool, samples: await toolSamples(tool), needs: [] }, setup);

  expect(checks.map(({ status }) => status).join(" ")).toBe(statuses);
  const checked = { skill: "notes", tool: "t", shown: "notes#t", hints: null, checks };
  const failed = { ...checked, checks: [{ ...checks[0], status: "fail" } as (typeof checks)[number]] };
  expect(toolCheckReport([checked], containment)).toMatchObject({
    counts: { tools: { total: 1, passed: 0, failed: 0, untested: 0, noVerdict: 1 } },
    exitCode: 3,
  });
  expect(toolCheckReport([checked, failed], containment).exitCode).toBe(1);
  expect(checks.map(({ check }) => check)).toEqual([...toolChecks]);
});
