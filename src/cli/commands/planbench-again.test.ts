import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { agentProject } from "../../../test/agent-project.ts";
import { httpServer, readBody } from "../../../test/local-server.ts";
import { completion } from "../../../test/model-server.ts";
import { planObjects } from "../../../test/plan-facts.ts";
import type { ReportFile } from "../../contract/document.ts";
import { PlanTable } from "../../contract/planbench-report.ts";

interface BundledCase {
  id: string;
  input: string;
  host?: string;
  mock?: unknown[];
  outputs?: unknown[];
}
const bundled = "benchmarks/planbench/quick.yaml";
const cases: BundledCase[] = parse(readFileSync(bundled, "utf8")).cases;
const asked = cases.filter((one) => one.mock !== undefined);

/** What every table came to, without times: those of two live runs differ. */
function tables({ subjects }: ReportFile): object[] {
  return subjects.map(({ details }) => {
    const { firstMs: _first, sampleMs: _sample, ...rest } = PlanTable.parse(details.table);
    return rest;
  });
}

/** The operations in a plan, each after its host; `wps whole` where one has every member, unset ones as `null`. */
function operationsIn(actions: unknown, host: string): string[] {
  if (!Array.isArray(actions)) return [];
  return actions.flatMap((action: Record<string, unknown>) => {
    const members = planObjects().find(({ name }) => name === action.op)?.members ?? [];
    const isWhole = members.length > 0 && members.every(({ name }) => name in action);
    const hasNull = Object.values(action).includes(null);
    return [
      `${host} ${action.op}`,
      ...(isWhole && hasNull ? [`${host} whole`] : []),
      ...operationsIn(action.actions, host),
    ];
  });
}

test("the bundled bench has real operations of every group of hosts, and a plan that is written out whole", () => {
  const used = new Set(
    cases.flatMap(({ host = "", mock, outputs }) =>
      [...(mock ?? []), ...(outputs ?? [])].flatMap((plan) =>
        typeof plan === "object" && plan !== null && "actions" in plan
          ? operationsIn(plan.actions, host)
          : [],
      ),
    ),
  );
  const operations = planObjects().filter(({ hosts }) => hosts.length > 0);
  const groups = new Set(operations.map(({ hosts }) => hosts.join(" ")));
  const reached = operations.filter(({ name, hosts }) => hosts.some((host) => used.has(`${host} ${name}`)));
  expect(new Set(reached.map(({ hosts }) => hosts.join(" ")))).toEqual(groups);
  expect(groups.size).toBe(6);
  expect([...used].filter((name) => name.endsWith(" whole"))).not.toEqual([]);
});

const replyText = (reply: unknown) => (typeof reply === "string" ? reply : JSON.stringify(reply));

test("the bundled bench has the same tables when it is repeated, resumed and replayed, on its script and with a model", async () => {
  let isBroken = false;
  await using server = await httpServer(async (sent, response) => {
    const { messages } = JSON.parse(await readBody(sent)) as {
      messages: { role: string; content: string }[];
    };
    const one = asked.find(({ input }) => messages[1]?.content === input);
    // Refused for good, so that nothing is retried: these samples have no outcome.
    if (isBroken && one?.id.startsWith("et-")) return void response.writeHead(400).end();
    const replies = (one?.mock ?? []).map(replyText);
    // A repair quotes the reply before, and nothing else.
    const before = messages.find(({ role }) => role === "assistant")?.content;
    const next = before === undefined ? 0 : replies.indexOf(before) + 1;
    response.setHeader("content-type", "application/json");
    response.end(completion(replies[Math.min(next, replies.length - 1)] ?? ""));
  });
  await using project = await agentProject({
    "../.eval-skills/config.yaml": { models: { lab: { baseUrl: server.url } } },
  });
  const bench = async (...flags: string[]) => {
    const { document, exitCode, stderr } = await project.run(["planbench", "--json", ...flags]);
    return { document: document as ReportFile, exitCode, stderr };
  };
  const scripted = await bench();
  const lab = ["--model", "lab/small", "--record", "calls"];

  expect(tables((await bench()).document)).toEqual(tables(scripted.document));
  const finished = await bench("--resume", scripted.document.run.id);
  expect(finished.document.subjects).toEqual(scripted.document.subjects);
  expect(finished.stderr).toContain("nothing left to do");

  const whole = await bench(...lab);
  expect(whole.exitCode, whole.stderr).toBe(0);
  // The script and the model say the same, so that every figure is the same.
  const figures = (document: ReportFile) => tables(document).map((table) => ({ ...table, target: "" }));
  expect(figures(whole.document)).toEqual(figures(scripted.document));
  expect(tables((await bench(...lab)).document)).toEqual(tables(whole.document));

  isBroken = true;
  const broken = await bench("--model", "lab/small");
  expect(broken.exitCode).toBe(3);
  isBroken = false;
  const resumed = await bench("--resume");
  expect(resumed.document.run.id).toBe(broken.document.run.id);
  expect(tables(resumed.document)).toEqual(tables(whole.document));

  const replayed = await bench("--model", "lab/small", "--replay", "calls");
  expect(tables(replayed.document)).toEqual(tables(whole.document));
  expect(replayed.document.run.timesRecorded).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test("so has a bench against a service that answers like the real one", async () => {
  let isBroken = false;
  await using server = await httpServer(async (sent, response) => {
    const { user_query: input, host_app: host } = JSON.parse(await readBody(sent));
    const replies = asked.find((one) => one.input === input && host !== "")?.mock ?? [];
    const plan = replies.at(-1);
    const result =
      typeof plan === "object"
        ? { success: true, plan, attempt_count: replies.length }
        : {
            success: false,
            plan: null,
            attempt_count: 3,
            error: { type: "invalid_plan", message: "no actions" },
          };
    const last =
      isBroken && host === "wpp"
        ? { type: "error", error: "no model", timestamp: "2026-11-19T00:00:00Z" }
        : { type: "final_result", result };
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of [
      { type: "visual_step", step: { title: "reading" } },
      { type: "visual_step", step: { title: "planning" } },
      last,
    ])
      response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.end("data: [DONE]\n\n");
  });
  const target = { type: "sse", url: `${server.url}/agentic/js-plan/vibe-coding/stream` };
  const ofService = asked.map(({ mock: _, ...one }) => ({ ...one, source: undefined }));
  const { skill_roots: _, ...rest } = parse(readFileSync(bundled, "utf8"));
  await using project = await agentProject({
    "bench.yaml": { ...rest, id: "service", target, route: undefined, cases: ofService },
  });
  const bench = async (...flags: string[]) =>
    (await project.run(["planbench", "bench.yaml", "--json", ...flags])).document as ReportFile;

  const whole = await bench();
  expect(tables(await bench())).toEqual(tables(whole));

  isBroken = true;
  const broken = await bench();
  expect(broken.exitCode).toBe(3);
  isBroken = false;
  const resume = async () =>
    (await project.run(["planbench", "--json", "--resume", broken.run.id])).document as ReportFile;
  expect(tables(await resume())).toEqual(tables(whole));
  expect(tables(await resume())).toEqual(tables(whole));
});
