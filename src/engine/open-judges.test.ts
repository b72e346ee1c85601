import { expect, test } from "vitest";
import { mockModel } from "../models/mock.ts";
import { askAllCanaries, canaryWarnings } from "./open-judges.ts";

const judge = { model: "lab/judge", calls: 1, latencyMs: 1, usage: null };
const figures = (changes: object) =>
  new Map([["lab/judge", { asked: 8, answered: 8, drift: 0.1, flipRate: 0, judge, ...changes }]]);
const signal = new AbortController().signal;

test("a judge that does well on its canaries is not warned of", () => {
  expect(canaryWarnings(figures({}))).toEqual([]);
});

test.each([
  [{ flipRate: 0.2 }, "judge lab/judge accepted 20 % of the prompt-injection canaries"],
  [{ drift: 0.4 }, "judge lab/judge is off by 0.40 on canaries of known score"],
  [{ answered: 0, drift: null, flipRate: null }, "judge lab/judge answered none of its 8 canaries"],
])("a judge that does badly is warned of: %j", (changes, words) => {
  expect(canaryWarnings(figures(changes))).toEqual([words]);
});

test("every judge is asked once, and its figures are under its name", async () => {
  const model = mockModel(Array.from({ length: 8 }, () => '{"score": 0, "reason": "wrong"}'));

  const figures = await askAllCanaries([{ model, temperature: 0 }], signal);

  expect(figures.get(model.id)).toMatchObject({ asked: 8, answered: 8, flipRate: 0 });
});
