import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openInFolder } from "../../test/open-in-folder.ts";
import { openModule } from "../../test/open-module.ts";
import { within } from "../../test/open-skill.ts";
import { openTool } from "../../test/open-tool.ts";
import { describeStrict } from "../../test/strict-machine.ts";
import { openStrict, skillFolder } from "../../test/strict-sandbox.ts";
import type { Adapter, Outcome } from "../contract/outcome.ts";
import type { Sandbox } from "../contract/sandbox.ts";
import { AdapterConfig, type UnitSkill } from "../contract/unit-skill.ts";
import { unlessHidden } from "./unless-hidden.ts";

function scriptSkill(dir: string, config: object, entrypoint = "python3 main.py"): UnitSkill {
  return {
    ...{ id: "my_skill", name: "My skill", version: "1.0.0", description: "", tags: [] },
    ...{ dir, manifest: join(dir, "skill.json"), inputSchema: {}, outputSchema: {}, metadata: {} },
    adapter: { type: "subprocess", entrypoint, config: AdapterConfig.parse(config) },
    digest: "sha256:0",
  };
}

type Open = (path: string, sandbox: Sandbox) => Promise<Adapter>;
const script =
  (text: string, config: object, entrypoint?: string): Open =>
  (path, sandbox) =>
    openInFolder({ "main.py": text.replace("PATH", path) }, (dir) => scriptSkill(dir, config, entrypoint), {
      sandbox,
    });

const reads = "open('PATH').read()\n";
const answersAnError =
  'import json\nrequest = json.loads(input())\ntry:\n  open("PATH")\nexcept OSError as error:\n  print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": {"code": 1, "message": str(error)}}))\n';

const adapters: readonly (readonly [what: string, open: Open])[] = [
  ["a program per call", script(reads, { type: "subprocess" })],
  ["a program that stays", script(reads, { type: "subprocess", lifecycle: "persistent" })],
  ["a program that answers with an error", script(answersAnError, { type: "subprocess" })],
  [
    "a program that ends well without an answer",
    script("try:\n  open('PATH')\nexcept OSError as error:\n  print(error)\n", { type: "subprocess" }),
  ],
  ["an MCP server", script(reads, { type: "mcp" })],
  [
    "a module",
    (path, sandbox) =>
      openModule(
        `import { readFileSync } from "node:fs";\nexport const invoke = () => readFileSync("${path}", "utf8");`,
        { sandbox },
      ),
  ],
  [
    "a module that cannot be loaded",
    (path, sandbox) => openModule(`import "${path}";\nexport const invoke = () => 1;`, { sandbox }),
  ],
  [
    "a tool",
    (path, sandbox) => openTool(`def work():\n    return {"text": open("${path}").read()}\n`, { sandbox }),
  ],
];

describeStrict("fault row 74: a skill that fails for want of a hidden file gets no verdict:", () => {
  test.each(adapters)("%s", async (_, open) => {
    await using elsewhere = await skillFolder({ "shared/data.txt": "data" });
    const path = join(elsewhere.path, "shared/data.txt");
    const why = `the sandbox does not show ${path}; show it with --grant read:${join(elsewhere.path, "shared")} (`;
    await using hiding = openStrict({ network: "none" });
    await using adapter = await open(path, hiding);
    expect(await adapter.call({}, within(20_000))).toMatchObject({
      status: "invalid",
      cause: "sandbox-hid",
      message: expect.stringContaining(why),
    });
  });

  test("a program that it cannot start, which another application has", async () => {
    await using elsewhere = await skillFolder({ "opt/bin/tool": "#!/bin/sh\n", "opt/lib/x": "" });
    const path = join(elsewhere.path, "opt/bin/tool");
    chmodSync(path, 0o755);
    await using hiding = openStrict({ network: "none" });
    const skill = (dir: string) => scriptSkill(dir, { type: "subprocess", command: path }, "");
    await using adapter = await openInFolder({}, skill, { sandbox: hiding });
    expect(await adapter.call({}, within(20_000))).toMatchObject({
      status: "invalid",
      cause: "sandbox-hid",
      message: expect.stringContaining(`show it with --grant read:${join(elsewhere.path, "opt")} (`),
    });
  });

  test("where nothing is hidden the same failure is the skill's", async () => {
    await using adapter = await script(reads, { type: "subprocess" })("/srv/nowhere", openStrict());
    expect(await adapter.call({}, within(20_000))).toMatchObject({ status: "failed", cause: "crash" });
  });
});

/** One that blames itself for everything. */
const guilty = { explain: () => ({ why: "it was me", isChosen: false }) } as unknown as Sandbox;
const command = { argv: ["x"], cwd: "/", env: {} } as const;

test("limits that were passed, and answers, are not excused by a hidden path", () => {
  const latencyMs = 1;
  const outcomes: Outcome[] = [
    { status: "answered", output: 1, latencyMs },
    { status: "failed", cause: "memory-limit", message: "", latencyMs },
    { status: "failed", cause: "output-limit", message: "", latencyMs },
    { status: "failed", cause: "bad-arguments", message: "", latencyMs },
    { status: "invalid", cause: "skill-changed", message: "", latencyMs },
  ];
  for (const outcome of outcomes) expect(unlessHidden(outcome, guilty, command)).toBe(outcome);
  const silent: Outcome = { status: "timed-out", message: "no answer", latencyMs };
  expect(unlessHidden(silent, guilty, command)).toMatchObject({
    cause: "sandbox-hid",
    message: "it was me (no answer)",
  });
});

test("a skill that wanted no network gets that as the reason, and failed", () => {
  const sandbox = { explain: () => ({ why: "you wanted it so", isChosen: true }) } as unknown as Sandbox;
  const failed: Outcome = { status: "failed", cause: "crash", message: "exit 1", latencyMs: 1 };
  expect(unlessHidden(failed, sandbox, command)).toEqual({ ...failed, message: "exit 1 (you wanted it so)" });
});
