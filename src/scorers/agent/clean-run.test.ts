import { expect, test } from "vitest";
import { cleanRun, forgedCase } from "../../../test/forged-run.ts";
import { gradeRun } from "./grade-run.ts";

test("try", async () => {
  const report = await gradeRun(cleanRun().recorded(), forgedCase(), { trial: 1, model: "mock" });
  console.log(JSON.stringify(report, null, 1));
  expect(report.failures).toEqual([]);
});
