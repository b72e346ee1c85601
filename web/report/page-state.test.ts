import { expect, test } from "vitest";
import { firstState, type PageState, readState, writeState } from "./page-state.ts";

const chosen: PageState = {
  text: "50% & more",
  statuses: ["fail", "timeout"],
  suite: "coding easy",
  subject: "a/b (no skills)",
  caseId: "#1",
  tag: "数学",
  columns: new Map([
    ["cause", "crash"],
    ["__proto__", "x=y"],
  ]),
  order: { by: "latencyMs", isDescending: true },
  page: 2,
  open: ["8405989bbb63", "dead,beef&="],
};

test("an address says everything that was chosen", () => {
  expect(readState(`#${writeState(chosen)}`)).toEqual(chosen);
  expect(writeState(firstState)).toBe("");
  expect(readState("")).toEqual(firstState);
});

test("a link to a cell says no page, and a first page is said only where a cell is open", () => {
  expect(writeState({ ...firstState, open: ["abc"] })).toBe("cell=abc");
  expect(readState("#cell=abc")).toMatchObject({ page: null, open: ["abc"] });
  expect(writeState({ ...firstState, page: 0 })).toBe("");
  expect(writeState({ ...firstState, page: 0, open: ["abc"] })).toBe("page=1&cell=abc");
});

test.each(["#status=nonsense&page=-3", "#page=x&status=", "#page=1.5", "#%E0%A4%A"])(
  "what makes no sense in the address %s is ignored",
  (hash) => {
    expect(readState(hash)).toMatchObject({ statuses: [], page: null });
  },
);
