import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { splitCommand } from "../src/shared/text/command-line.ts";
import { capturedCli } from "./captured-world.ts";

/** The value of every variable that is asked for. */
export const canary = "ghp_canary0123456789abcdefghijklmnop";
const env = { PATH: process.env.PATH ?? "", GITHUB_TOKEN: canary, PLAN_TOKEN: canary };

const program = `
let text = "";
for await (const chunk of process.stdin) text += chunk;
console.log(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(text).id, result: "x" }));
`;
export const manifest = (id: string, more: object = {}) => ({
  id,
  name: id,
  version: "1.0.0",
  description: "Says what the weather is.",
  adapterType: "subprocess",
  entrypoint: "node skill.mjs",
  ...more,
});
export const task = { id: "one", inputData: {}, expectedOutput: { type: "exact", value: "x" } };
export const scorerText =
  "export default ({ output }) => ({ score: Number(output === 'x'), reason: 'compared' });";
const answer = { action: { type: "final_answer", payload: { content: "done" } } };
const schema = { type: "object", required: ["steps"] };

/** Files that ask for something at every place that can. */
const askingFiles = (outside: string): Record<string, unknown> => ({
  "eval-skills.config.yaml":
    "models:\n  lab:\n    baseUrl: https://lab.example/v1\n    apiKeyEnv: GITHUB_TOKEN\nsandbox:\n  envKeys: [GITHUB_TOKEN]\n" +
    "router:\n  embedding:\n    other: { provider: lab, model: m, dim: 3 }\n" +
    "telemetry:\n  mode: remote\n  remoteEndpoint: https://events.example/in\n  tokenEnv: PLAN_TOKEN\n" +
    "  otlp:\n    endpoint: https://spans.example/v1\n",
  "skills/weather/skill.json": manifest("weather"),
  "skills/weather/skill.mjs": program,
  "skills/weather/adapter.config.json": { type: "subprocess", envKeys: ["GITHUB_TOKEN"] },
  ".agent/skills/remote/skill.json": manifest("remote", {
    adapterType: "http",
    entrypoint: "https://remote.example/call",
  }),
  ".agent/skills/remote/adapter.config.json": {
    type: "http",
    authType: "bearer",
    authTokenEnvKey: "PLAN_TOKEN",
  },
  "skills/served/skill.json": manifest("served", {
    adapterType: "mcp",
    entrypoint: "https://mcp.example/mcp",
  }),
  "skills/served/adapter.config.json": {
    type: "mcp",
    transport: "http",
    authType: "api-key",
    authTokenEnvKey: "PLAN_TOKEN",
  },
  "skills/odd/other.json": manifest("odd", { adapterType: "http", entrypoint: "http://127.0.0.1:80/" }),
  "skills/quiet/skill.json": manifest("quiet"),
  "skills/quiet/skill.mjs": program,
  "bench/tasks.json": [
    { ...task, evaluator: { type: "custom", customScorerPath: join(outside, "scorer.mjs") } },
  ],
  "bench/named.json": { id: "named", name: "Named", version: "1.0.0", tasks: [task] },
  "plans/bench.yaml": {
    id: "plans",
    schema: "plan.schema.json",
    target: {
      type: "sse",
      url: "https://plans.example/plan",
      headers: { authorization: "${env:PLAN_TOKEN}" },
    },
    skill_roots: [outside],
    cases: [{ id: "a", input: "a plan" }],
  },
  "plans/plan.schema.json": schema,
  "evals/suite.yaml": {
    suite: "desk",
    cases: [
      { id: "file", input: { file: join(outside, "ask.md") }, mock: { turns: [answer] } },
      { id: "plain", input: "hello", mock: { turns: [answer] } },
    ],
  },
  "evals/sends/case.json": {
    id: "sends",
    input: "send it",
    enable_tools: ["network_request"],
    constraints: { network_hosts: ["api.example.com"] },
    mock: { turns: [answer] },
  },
  "talks/late.yaml": {
    kind: "conversation",
    id: "late",
    input: "hello",
    setup: { document: join(outside, "ask.md") },
    mock: { turns: [{ final: "done" }] },
  },
  "data/list.json": [1, 2, 3],
  "data/broken.json": "{",
});

/** A project that asks for one of everything, for command lines in this process. */
export async function askingProject() {
  const cli = await capturedCli();
  const outside = join(cli.home, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "ask.md"), "What does it cost?");
  writeFileSync(join(outside, "scorer.mjs"), scorerText);
  for (const [path, content] of Object.entries(askingFiles(outside))) {
    mkdirSync(dirname(join(cli.cwd, path)), { recursive: true });
    writeFileSync(
      join(cli.cwd, path),
      typeof content === "string" ? content : JSON.stringify(content, null, 2),
    );
  }
  return {
    ...cli,
    outside,
    /** Words that are no line, such as those that a shell made. */
    cli: (argv: readonly string[]) => cli.run(argv, { env }),
    run: (line: string, options: { ask?: string; isTTY?: boolean; env?: Record<string, string> } = {}) =>
      cli.run(splitCommand(line), { ...options, env: { ...env, ...options.env } }),
  };
}

/** A skill in this folder that asks for a variable. */
export function weatherIn(folder: string, id: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, "skill.json"), JSON.stringify(manifest(id)));
  writeFileSync(join(folder, "skill.mjs"), program);
  const config = { type: "subprocess", envKeys: ["GITHUB_TOKEN"] };
  writeFileSync(join(folder, "adapter.config.json"), JSON.stringify(config));
  return folder;
}
