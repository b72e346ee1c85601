import { Command } from "commander";
import { expect, test } from "vitest";
import { agentEvalTable } from "../../cases/case-options.ts";
import { Config } from "../../contract/config.ts";
import { type OptionTable, settledOptions, storedOptions, typedConfig } from "../../contract/option-table.ts";
import { levelTable } from "../../engine/common-options.ts";
import { levels } from "../../levels/levels.ts";
import { planbenchTable } from "../../levels/planbench/options.ts";
import { triggerTable } from "../../levels/trigger/options.ts";
import { evalTable } from "../../levels/unit/options.ts";
import { agentRunTable } from "../../operations/agent/run-options.ts";
import { addOptions, readOptions } from "../io/declare-command.ts";
import { completionWords } from "./completion-words.ts";

const toyRows = {
  words: { flag: "[words...]", help: "to turn round", type: "texts", required: "toy anna", scope: "plan" },
  mode: {
    flag: "-m, --mode <name>",
    help: "how letters are compared",
    type: "choice",
    choices: ["exact", "folded"],
    default: "exact",
    scope: "plan",
  },
  timeoutMs: {
    flag: "--timeout <ms>",
    help: "of a word",
    type: "count",
    min: 1,
    config: "timeoutMs",
    scope: "plan",
  },
  network: {
    flag: "--network <none|open>",
    help: "of words",
    type: "choice",
    choices: ["none", "open"],
    config: "sandbox.network",
  },
  minShare: { flag: "--min-share <rate>", help: "gate", type: "rate", aliases: ["--least"], scope: "run" },
  notes: { flag: "--notes <dir>", help: "where notes go", type: "text", scope: "run" },
  width: { flag: "--width <n>", help: "of a line", type: "count", min: 1, default: 80 },
  loud: { flag: "--loud", help: "say more", type: "switch", scope: "run", negation: "say less" },
  noCache: { flag: "--no-cache", help: "turn round again", type: "switch" },
} as const satisfies OptionTable;
const table = levelTable(toyRows);

function toyCommand() {
  const program = new Command("program").exitOverride().configureOutput({ writeErr: () => {} });
  const command = program.command("toy");
  addOptions(command, table);
  return { program, command };
}

function parse(line: string) {
  const { program, command } = toyCommand();
  program.parse(["toy", ...line.split(" ")], { from: "user" });
  return readOptions(command, table);
}

test("a table gives arguments and flags, its own and those of every run; only what this call alone means has its default", () => {
  expect(parse("anna bob")).toEqual({ words: ["anna", "bob"], width: 80 });
  expect(parse("anna -m folded --least 0.5 --width 9 --no-cache --runs 3 --format csv html")).toEqual({
    words: ["anna"],
    mode: "folded",
    minShare: 0.5,
    width: 9,
    noCache: true,
    runs: 3,
    formats: ["csv", "html"],
  });
});

test("a switch with a negation is true, false or left open", () => {
  expect(["anna --loud", "anna --no-loud", "anna"].map((line) => parse(line).loud)).toEqual([
    true,
    false,
    undefined,
  ]);
  expect(parse("anna --no-loud")).toEqual({ words: ["anna"], loud: false, width: 80 });
});

test.each([
  ["--width 3", "toy needs at least one of <words...>"],
  ["anna --width 3x", "--width takes a whole number of at least 1"],
  ["anna --mode folder", 'invalid value for --mode: "folder"'],
  ["anna --least 2", "--min-share takes a number from 0 to 1"],
  ["anna --least 1 --min-share 0", "--min-share was given twice with different values"],
])("%s is refused: %s", (line, message) => {
  expect(() => parse(line)).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }));
});

test("it gives the help, with the default, and what shells complete", () => {
  const { program, command } = toyCommand();
  const help = command.helpInformation().replaceAll(/\s+/g, " ");
  expect(help).toContain("--mode <name> how letters are compared (default: exact)");
  expect(help).not.toContain("--least");

  const words = completionWords(program).find(({ path }) => path === "toy");
  const findValues = (name: string) => words?.options.find(({ names }) => names.includes(name))?.values;
  expect(findValues("--mode")).toEqual({ kind: "words", words: ["exact", "folded"], isFileToo: false });
  expect(findValues("--notes")).toEqual({ kind: "folders" });
  expect(findValues("--no-cache")).toBeNull();
});

test("it gives the layer of the configuration that was typed", () => {
  const options = parse("anna --timeout 5 --network none --store runs.db --width 9");
  expect(typedConfig(table, options)).toEqual({
    timeoutMs: 5,
    sandbox: { network: "none" },
    store: "runs.db",
  });
});

test("it gives the stored plan: what was typed, else the configuration, else the default, else nothing", () => {
  const plan = settledOptions(table, "plan", parse("anna --runs 2"), { timeoutMs: 7 });
  expect(plan).toEqual({
    words: ["anna"],
    mode: "exact",
    timeoutMs: 7,
    runs: 2,
    seed: 0,
    failed: false,
    shard: null,
  });
  expect(settledOptions(table, "plan", parse("anna")).runs).toBeNull();
});

test("it gives what a run stores of what was typed, with whole paths of its output", () => {
  const options = parse("anna --min-share 1 --notes notes --max-invalid 0.5 --width 9");
  expect(storedOptions(table, options, "/work")).toEqual({
    words: ["anna"],
    minShare: 1,
    notes: "/work/notes",
    maxInvalid: 0.5,
  });
});

const tables = { evalTable, triggerTable, agentEvalTable, planbenchTable, agentRunTable };

test.each(Object.entries(tables))(
  "%s: every configuration key exists, with the default that the help tells",
  (_, known) => {
    const config = Config.parse({});
    for (const row of Object.values<OptionTable[string]>(known)) {
      if (row.config === undefined) continue;
      const value = row.config.split(".").reduce<unknown>((part, key) => Object(part)[key], config);
      expect([row.config, value !== undefined]).toEqual([row.config, true]);
      if (row.default !== undefined) expect([row.config, value]).toEqual([row.config, row.default]);
    }
  },
);

test("every level names its options, and none twice", () => {
  for (const { name, options } of levels) {
    if (options === undefined) continue; // it has no command of its own
    const flags = Object.values(levelTable(options)).map(({ flag }) => flag);
    expect([name, flags.length - new Set(flags).size]).toEqual([name, 0]);
    expect(Object.keys(options).length).toBeGreaterThan(5);
  }
});
