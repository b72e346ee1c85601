import { expect, test } from "vitest";
import { catalogJudge, sampleQuery } from "../src/reporters/sample-trigger-query.ts";
import { textsOfField } from "./texts-of-field.ts";

const always = (choice: string | null) => [choice, choice, choice, choice];
const asked = (query: string, choice: string | null, negative = {}) =>
  sampleQuery({ query, skillId: "a", judge: catalogJudge, answers: always(choice), ...negative });

test("a field of the matrix finds its requests by whom they are meant for and who was chosen", () => {
  const textsOf = textsOfField([
    asked("right", "a"),
    asked("stolen", "b"),
    asked("owned", "b", { side: "should_not_match", belongsTo: "b" }),
    asked("nobody's", null, { side: "should_not_match" }),
    sampleQuery({ query: "broken", skillId: "a", answers: "EEEEEEEE" }),
  ]);

  expect(textsOf({ intended: "a", chosen: "a" })).toEqual(["right"]);
  expect(textsOf({ intended: "a", chosen: "b" })).toEqual(["stolen"]);
  expect(textsOf({ intended: "b", chosen: "b" })).toEqual(["owned"]);
  expect(textsOf({ intended: null, chosen: null })).toEqual(["nobody's"]);
  expect(textsOf({ intended: "a", chosen: undefined })).toEqual(["broken"]);
  expect(textsOf({ intended: "b", chosen: null })).toEqual([]);
});
