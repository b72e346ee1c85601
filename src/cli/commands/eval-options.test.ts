import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { reportFormats } from "../../contract/format.ts";
import { typedConfig } from "../../contract/option-table.ts";
import { evalTable } from "../../levels/unit/options.ts";
import { addOptions, readOptions } from "../io/declare-command.ts";

function parse(line: string, ...more: string[]) {
  const command = new Command("eval").exitOverride().configureOutput({ writeErr: () => {} });
  addOptions(command, evalTable);
  command.parse([...line.split(" "), ...more], { from: "user" });
  return readOptions(command, evalTable);
}

describe("the options of eval", () => {
  test("a flag that was not typed is absent", () => {
    expect(parse("--skills a")).toEqual({ skills: ["a"] });
  });

  test("the longest line of the documentation is understood", () => {
    const line = `--skills ./skills/my_calc --benchmark coding-easy --task-tag math --concurrency 4 --timeout 30000 --retries 2 --runs 3 --evaluator exact --format ${reportFormats.join(" ")} --csv-rows subjects --output-dir ./reports --exit-on-fail --min-completion 0.8 --gate-on lower --benchmarks-dir ./benchmarks --store ./eval-skills.db --sandbox auto --seed 0`;
    expect(parse(line)).toEqual({
      skills: ["./skills/my_calc"],
      benchmark: "coding-easy",
      taskTags: ["math"],
      concurrency: 4,
      timeoutMs: 30000,
      retries: 2,
      runs: 3,
      evaluator: "exact",
      formats: [...reportFormats],
      csvRows: "subjects",
      outputDir: "./reports",
      exitOnFail: true,
      minCompletion: 0.8,
      gateOn: "lower",
      benchmarksDir: "./benchmarks",
      store: "./eval-skills.db",
      sandbox: "auto",
      seed: 0,
    });
  });

  test("lists take several values and may repeat", () => {
    expect(parse("--skills a b --skills c --case x --case y z --allow-network a.b:1 c.d")).toEqual({
      skills: ["a", "b", "c"],
      cases: ["x", "y", "z"],
      allowNetwork: ["a.b:1", "c.d"],
    });
  });

  test("--resume stands alone or with a run", () => {
    expect(parse("--resume")).toEqual({ resume: true });
    expect(parse("--resume 20260301T072410Z-k3f9 --concurrency 2")).toEqual({
      resume: "20260301T072410Z-k3f9",
      concurrency: 2,
    });
  });

  test.each(["--repeats", "--repeat", "--samples"])("%s means --runs", (alias) => {
    expect(parse(`--skills a ${alias} 3`)).toEqual({ skills: ["a"], runs: 3 });
    expect(() => parse(`--skills a ${alias} 0`)).toThrow(/--runs takes a whole number/);
    expect(() => parse(`--skills a ${alias} 3 --runs 4`)).toThrow(/given twice/);
  });

  test.each([
    ["--concurrency 0", /--concurrency takes a whole number from 1 to 1024/],
    ["--concurrency 1025", /from 1 to 1024/],
    ["--timeout 0", /--timeout/],
    ["--retries 21", /--retries takes a whole number from 0 to 20/],
    ["--runs 1001", /from 1 to 1000/],
    ["--runs 1.5", /--runs/],
    ["--seed -1", /--seed/],
    ["--min-completion 80%", /--min-completion takes a number from 0 to 1/],
    ["--min-completion=-1", /--min-completion takes a number/],
    [
      "--allow-network https://a.example",
      /--allow-network: "https:\/\/a\.example" is a URL: leave out the scheme/,
    ],
    ["--allow-network *.a.example", /contains a wildcard/],
    ["--allow-network a.example:99999", /has an invalid port/],
  ])("%s is refused", (line, message) => {
    expect(() => parse(`--skills a ${line}`)).toThrow(message);
  });

  test.each([
    ["--format htm", "did you mean html?"],
    ["--sandbox strickt", "did you mean strict?"],
    ["--network opn", "did you mean open?"],
    ["--gate-on lowr", "did you mean lower?"],
    ["--format json,html", "separate them with spaces: json html"],
    ["--format json,pdf", `known: ${reportFormats.join(", ")}`],
    ["--sandbox auto,off", "known: auto, strict, reduced, process, off"],
    ["--allow-network a.b,c.d:1", "separate them with spaces: a.b c.d:1"],
    ["--format pdf", `known: ${reportFormats.join(", ")}`],
  ])("%s is refused with the nearest word", (line, hint) => {
    expect(() => parse(`--skills a ${line}`)).toThrow(expect.objectContaining({ code: "usage", hint }));
  });

  test.each(["--skills", "--store", "--output-dir", "--tasks", "--benchmark", "--benchmarks-dir"])(
    "an empty %s is refused",
    (flag) => {
      expect(() => parse(`--skills a ${flag}`, "")).toThrow(`${flag} is empty`);
    },
  );

  test("a flag where a value belongs is a forgotten value", () => {
    expect(() => parse("--skills --json")).toThrow(/--skills needs a value/);
  });

  test("--skills is required, but not with --resume", () => {
    expect(() => parse("--runs 3")).toThrow(/missing required option --skills/);
  });

  test("what was typed becomes the strongest layer of the configuration", () => {
    expect(typedConfig(evalTable, parse("--skills a --timeout 5 --format csv --network none"))).toEqual({
      timeoutMs: 5,
      defaultFormats: ["csv"],
      sandbox: { network: "none" },
    });
    expect(typedConfig(evalTable, {})).toEqual({});
  });
});
