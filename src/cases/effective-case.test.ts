import { expect, test } from "vitest";
import { forgedCase } from "../../test/forged-run.ts";
import { Config } from "../contract/config.ts";
import { caseLimits, casePolicy, effectiveLimits } from "./effective-case.ts";

const { agent } = Config.parse({ agent: { max_turns: 5, max_tool_calls: 7, max_cost_usd: 2 } });

test("a case overrides the configuration, which overrides the defaults", () => {
  const constraints = { max_turns: 3, max_script_runs: 0, max_resource_loads: 0 };
  expect(caseLimits(agent, forgedCase({ constraints, timeout_ms: 900 }))).toEqual({
    max_turns: 3,
    max_tool_calls: 7,
    max_script_runs: 0,
    max_resource_loads: 0,
    max_model_calls: 9,
    max_context_chars: 400_000,
    timeout_ms: 900,
    max_cost_usd: 2,
  });
});

test.each([
  [{}, {}, 36],
  [{ max_turns: 5 }, {}, 15],
  [{ max_turns: 5, max_model_calls: 4 }, {}, 4],
  [{ max_turns: 5, max_model_calls: 4 }, { max_turns: 2 }, 4],
  [{}, { max_turns: 2 }, 6],
  [{}, { max_turns: 2, max_model_calls: 1 }, 1],
])(
  "with %j configured and %j in the case a model is called at most %i times",
  (configured, overrides, calls) => {
    const limits = effectiveLimits(Config.parse({ agent: configured }).agent, overrides);
    expect(limits.max_model_calls).toBe(calls);
  },
);

test("in the run of a case its script decides, and nobody else", () => {
  const policy = casePolicy(agent, forgedCase({ constraints: { deny_tools: ["grep"], sandbox: "strict" } }));
  expect(policy).toMatchObject({
    mode: "scripted",
    enable_tools: ["run_script"],
    deny_tools: ["grep"],
    allowed_tools_policy: "report",
    sandbox: "strict",
  });
  const restricted = Config.parse({ agent: { allowed_tools_policy: "restrict" } });
  expect(casePolicy(restricted.agent, forgedCase()).allowed_tools_policy).toBe("restrict");
});
