import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { offTopicQueries } from "../../test/builders/sample-catalog.ts";
import { canonicalJson } from "../shared/json/canonical-json.ts";
import { chineseStops, englishStops } from "../shared/text/content-terms.ts";
import { clauseEnds, negators, notNegators, reach } from "./negation.ts";
import { routerVersion, scriptClass } from "./open-router.ts";
import { probes, probesDigest } from "./probes.ts";

test("whoever changes a list that decides changes the version of the router", () => {
  const lists = [
    [...englishStops],
    [...chineseStops],
    negators,
    notNegators,
    clauseEnds,
    reach,
    probesDigest,
  ];

  expect([routerVersion, hash("sha256", canonicalJson(lists), "hex").slice(0, 16)]).toEqual([
    "router/1",
    "5e5bbff68251652a",
  ]);
});

test("there are 20 probes of each class, all different, and no test is made of them", () => {
  expect(probes.han.map(scriptClass)).toEqual(Array(20).fill("han"));
  expect(probes.other.map(scriptClass)).toEqual(Array(20).fill("other"));
  expect(new Set([...probes.han, ...probes.other, ...offTopicQueries]).size).toBe(80);
});
