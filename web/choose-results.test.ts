import { expect, test } from "vitest";
import { fullAgentResults } from "../src/reporters/agent/sample-agent-report.ts";
import { chooseResults, everyResult, type ResultChoice } from "./choose-results.ts";

const chosen = (given: Partial<ResultChoice>) =>
  chooseResults(fullAgentResults, { ...everyResult, ...given });
const ids = (given: Partial<ResultChoice>) =>
  chosen(given).places.map((place) => fullAgentResults[place]?.case_id);

test("at first what failed, then what has no verdict, then what passed, twins without skills last", () => {
  expect(ids({}).slice(0, 3)).toEqual(["saves_nothing", "weather", "log_was_cut"]);
  expect(chosen({}).places.at(-1)).toBe(8);
  expect(chosen({}).counts).toEqual({ failed: 2, "no verdict": 1, passed: 5, baseline: 1 });
});

test("suite, model, tag, standing and words narrow the list; standings are counted before they do", () => {
  expect(ids({ suite: "guards" })).toEqual(["path_with_dots"]);
  expect(ids({ model: "none" })).toEqual(["path_with_dots"]);
  expect(ids({ tag: "files" })).toEqual(["saves_nothing"]);
  expect(ids({ text: "RunIncomplete SMOKE" })).toEqual(["log_was_cut"]);
  expect(chosen({ suite: "smoke", standings: ["failed"] })).toEqual({
    places: [1],
    counts: { failed: 1, "no verdict": 1, passed: 1, baseline: 0 },
  });
});

test("a dimension shows what failed or was not observed there, and sorts by it", () => {
  expect(ids({ dimension: "streaming" })).toEqual(["log_was_cut"]);
  expect(ids({ dimension: "unit" })).toEqual([]);
  expect(ids({ order: { by: "output", isDescending: false } }).slice(0, 3)).toEqual([
    ...["saves_nothing", "fills_a_form", "log_was_cut"],
  ]);
  expect(ids({ order: { by: "case", isDescending: true } })[0]).toBe("weather");
});
