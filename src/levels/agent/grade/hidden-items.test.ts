import { describe, expect, test } from "vitest";
import { findChecks, grade as gradeForged } from "../../../../test/forged-logs.ts";
import { beginRun, cleanRun, type ForgedRun } from "../../../../test/forged-run.ts";
import { evidence, type UnknownItem, unknownClasses } from "../../../contract/agent-origin.ts";
import { classesFor } from "./hidden-items.ts";

/** A clean run with something before its nth event of a type that nobody could read. */
function hiding(
  could_be: readonly string[],
  { kind = "unreadable", run = cleanRun(), nth = 1 } = {},
): ForgedRun {
  const unknown = { line: 5, location: "line 5", kind, sha256: "sha256:x", could_be: [...could_be] };
  const data = { code: "TraceItemUnknown", message: "line 5 is unreadable", fatal: false, unknown };
  return imported(run).insert("turn_started", "error_occurred", data, nth);
}

/** As if it were another agent's, of which everything is known. */
function imported(run: ForgedRun, items: readonly UnknownItem[] = []): ForgedRun {
  return run.change("run_started", {
    origin: { kind: "openai", observed: [...evidence], unknown: [...items] },
  });
}
/** For a case that asks for this and nothing else. */
const grade = (run: ForgedRun, asks: Record<string, unknown>) =>
  gradeForged(run, { constraints: {}, expect: {}, ...asks });
const rules = (...list: object[]) => ({ expect: { action_sequence_constraints: list } });
const limits = (constraints: object) => ({ constraints });

describe("what could not be read may break any rule it could have broken, and meet any it could have met", () => {
  const write = ["write_file"];
  const rows: [
    what: string,
    could_be: readonly string[],
    asks: Record<string, unknown>,
    pass: boolean | null,
  ][] = [
    ["a forbidden tool", write, rules({ forbid: "write_file" }), null],
    ["another tool", ["read_file"], rules({ forbid: "write_file" }), true],
    ["any tool", write, rules({ must_occur: "call_tool" }), true],
    ["a tool of another agent", ["other_tool"], rules({ forbid: "foreign:send_mail" }), null],
    ["a denied tool", write, limits({ deny_tools: ["write_file", "network_request"] }), null],
    ["a missing action", write, rules({ must_occur: "write_file" }), null],
    ["an action that was seen", ["run_script"], rules({ must_occur: "run_script" }), true],
    ["a missing skill", ["select_skills"], { expect: { skills_all_of: ["excel"] } }, null],
    ["a skill that was seen", ["select_skills"], { expect: { skills_all_of: ["pdf-form-filler"] } }, true],
    ["a forbidden skill", ["select_skills"], { expect: { skills_none_of: ["excel"] } }, null],
    ["an expected error", ["result"], { expect: { errors: [{ code: "IOError" }] } }, null],
    ["too many errors", ["result"], { expect: { errors: [{ code: "IOError", min: 0, max: 1 }] } }, null],
    ["the last text", ["final_answer"], { expect: { output: { contains_all: ["Done"] } } }, null],
    ["one turn too many", ["turn"], limits({ max_turns: 8 }), null],
    ["one call too many", write, limits({ max_tool_calls: 15 }), null],
    ["one script too many", ["run_script"], limits({ max_script_runs: 6 }), null],
    [
      "an earlier action of an order",
      ["run_script"],
      rules({ must_occur: "load_resource", before: "run_script" }),
      null,
    ],
    [
      "a later action of an order",
      ["read_file"],
      rules({ must_occur: "load_resource", before: "run_script" }),
      true,
    ],
  ];
  test.each(rows)("%s", async (_, could_be, asks, pass) => {
    const report = await grade(hiding(could_be), asks);
    expect(report.failures).toEqual([]);
    expect({ pass: report.pass, code: report.no_verdict?.code }).toEqual({
      pass,
      code: pass === null ? "NotObserved" : undefined,
    });
  });

  test("what is seen to be wrong stays wrong", async () => {
    const run = beginRun().select().call("write_file", { path: "a", content: "b" }).answer();
    const report = await grade(hiding(unknownClasses, { run }), {
      ...rules({ forbid: "write_file" }),
      enable_tools: ["write_file"],
    });
    expect(report.failures.map(({ code }) => code)).toContain("ForbiddenExecuted");
    expect(report.status).toBe("fail");
  });

  test("an order that looks wrong is not, where the right one may be hidden before", async () => {
    const wrong = rules({ must_occur: "load_resource", before: "select_skills" });
    expect((await grade(cleanRun(), wrong)).status).toBe("fail");
    expect((await grade(hiding(["load_resource"], { nth: 0 }), wrong)).status).toBe("invalid");
  });
});

test("the message says where the item is, and what it could have been", async () => {
  const report = await grade(hiding(["write_file"]), rules({ forbid: "write_file" }));
  expect(report.no_verdict?.message).toContain(
    "line 5 of the trace could not be read (unreadable) and may be write_file",
  );
});

test("an item counts that only the beginning of the log names, or that lost its description", async () => {
  const item = { line: 5, location: "line 5", kind: "field", sha256: "sha256:x", could_be: ["write_file"] };
  const named = imported(cleanRun(), [item]);
  const bare = hiding([]).change("error_occurred", (data) => void delete data.unknown);
  for (const run of [named, bare])
    expect((await grade(run, rules({ forbid: "write_file" }))).no_verdict?.code).toBe("NotObserved");
});

describe("a call that may have done more than is recorded", () => {
  const shell = ["write_file", "delete_file", "network_request", "run_script"];
  const opaque = () => hiding(shell, { kind: "opaque" });

  test("hides its effects, but neither calls nor turns, and no order that is seen", async () => {
    for (const tool of shell.slice(0, 3))
      expect((await grade(opaque(), rules({ forbid: tool }))).pass, tool).toBeNull();
    expect((await grade(opaque(), limits({ max_tool_calls: 15, max_turns: 8 }))).pass).toBe(true);
    expect((await grade(opaque(), rules({ must_occur: "load_resource", before: "run_script" }))).pass).toBe(
      true,
    );
  });

  test("wrote and deleted what a comparison of the workspace shows, and no more", async () => {
    const turn = opaque().events.find(({ type }) => type === "error_occurred")?.turn ?? 0;
    const compared = (diff: { added?: string[]; deleted?: string[]; by?: string }) => {
      const run = opaque();
      const at = run.events.findIndex((event) => event.type === "turn_finished" && event.turn === turn);
      const data = { added: [], changed: [], deleted: [], by: "shell", ...diff };
      run.events.splice(at, 0, { turn, type: "workspace_diff", data });
      return run;
    };
    const verdict = async (run: ForgedRun, tool: string) => (await grade(run, rules({ forbid: tool }))).pass;
    expect(await verdict(compared({}), "write_file")).toBe(true);
    expect(await verdict(compared({}), "network_request")).toBeNull();
    expect(await verdict(compared({ added: ["a"] }), "write_file")).toBe(false);
    expect(await verdict(compared({ added: ["a"] }), "delete_file")).toBe(true);
    expect(await verdict(compared({ deleted: ["a"] }), "delete_file")).toBe(false);
    expect(await verdict(compared({ added: ["a"], by: "run_script" }), "write_file")).toBe(true);
  });
});

test("what a command did besides is no call of its own", async () => {
  const run = beginRun().select().call("read_file", { path: "a" }).answer();
  const at = run.events.findIndex(({ type }) => type === "observation_recorded");
  expect(at).toBeGreaterThan(0);
  const executed = {
    call_id: "c2-2",
    action: "call_tool",
    tool: "read_file",
    started: true,
    ok: true,
    result: {},
  };
  run.insert("turn_finished", "action_executed", { ...executed, part_of: "c2" }, 1);
  const report = await grade(run, {});
  expect(report.stats.tool_calls).toBe(1);
  expect(findChecks(report, "sequence")["one action per turn"]?.status).toBe("pass");
});

test("every name that a rule can use stands for something", () => {
  for (const name of ["select_skills", "call_tool", "load_skill_body", "foreign:x", "convert", "write_file"])
    for (const one of classesFor(name)) expect(unknownClasses).toContain(one);
});
