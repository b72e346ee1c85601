import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { resumeCommand } from "./interrupt.ts";

const run = { command: "eval", runId: "r1", store: "./eval-skills.db", configPath: undefined } as const;

test("a run in the usual store needs only its id", () => {
  expect(resumeCommand(run)).toBe("eval-skills eval --resume r1");
});

test("the configuration that was named and another store are named again", () => {
  expect(resumeCommand({ ...run, store: "./kept.db", configPath: "ci.yaml" })).toBe(
    "eval-skills eval --resume r1 -c ci.yaml --store ./kept.db",
  );
});

test("a path with blanks, quotes or a dollar comes through a shell unchanged", () => {
  const store = "./my 'old' $HOME.db";
  const line = resumeCommand({ ...run, store }).replace("eval-skills", "printf '%s\\n'");

  const words = execFileSync("sh", ["-c", line], { encoding: "utf8" });

  expect(words.split("\n")).toEqual(["eval", "--resume", "r1", "--store", store, ""]);
});
