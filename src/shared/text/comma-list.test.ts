import { expect, test } from "vitest";
import { spacesHint } from "./nearest.ts";

const known = ["json", "html"];
const isKnown = (part: string) => known.includes(part);

test("known values between commas are shown as they are typed", () => {
  expect(spacesHint("json,html", isKnown)).toBe("separate them with spaces: json html");
  expect(spacesHint("json, html", isKnown)).toBe("separate them with spaces: json html");
});

test.each(["json", "jsn,html", "json,", ",", "", "json html"])("%j is not such a list", (typed) => {
  expect(spacesHint(typed, isKnown)).toBeUndefined();
});
