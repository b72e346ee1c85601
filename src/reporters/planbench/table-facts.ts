import { countOf } from "../../base/count-of.ts";
import type { PlanTable } from "../../contract/planbench-report.ts";
import { withBounds } from "../agent/metric-facts.ts";
import { counted, grouped, milliseconds, percent } from "../format-numbers.ts";
import type { StratumOverview } from "./plan-overview.ts";

/** A figure of a stratum, as people read it. */
export interface TableFact {
  name: string;
  value: string;
  /** What it is made of. */
  of: string;
}

/** The figures of a stratum in the order they are shown, but for the repairs, which are drawn. */
export function tableFacts(table: PlanTable, claimed: StratumOverview["claimed"]): TableFact[] {
  const { n, planned, execRate, hitRate } = table;
  const isFixed = table.route === "fixed";
  return [
    ...(isFixed ? [{ name: "ok", value: ofSamples(table.ok, n), of: "" }] : rateFacts(table)),
    // What no model had a part in says nothing by how long it took.
    ...(isFixed
      ? []
      : [
          { name: "first plan", value: timeWords(table.firstMs), of: "" },
          { name: "whole sample", value: timeWords(table.sampleMs), of: "" },
        ]),
    ...(isFixed || table.tokens.known === 0 ? [] : [tokenFact(table)]),
    ...(execRate === undefined
      ? []
      : [{ name: "carried out", value: rateWords(execRate), of: "of the valid plans handed over" }]),
    // A service chooses skills by itself, and tells nobody.
    ...(hitRate === undefined || hitRate === null
      ? []
      : [{ name: "router hit", value: rateWords(hitRate), of: "of cases whose route is known" }]),
    ...(claimed.ok === 0 ? [] : [claimFact(claimed)]),
    ...(n === planned
      ? []
      : [{ name: "coverage", value: rateWords(table.coverage), of: coverageWords(table) }]),
  ];
}

/** Whether there is more to say about repairs than that nobody needed any. */
export function hasRepairs({ route, n, buckets }: PlanTable): boolean {
  return n > 0 && (route !== "fixed" || buckets["0"] < n);
}

function rateFacts({ n, ok, buckets, ok0Rate, successRate, intervals }: PlanTable): TableFact[] {
  return [
    {
      name: "ok at first",
      value: withBounds({ value: ok0Rate, interval: intervals.ok0Rate }),
      of: ofSamples(buckets["0"], n),
    },
    {
      name: "ok in the end",
      value: withBounds({ value: successRate, interval: intervals.successRate }),
      of: ofSamples(ok, n),
    },
  ];
}

function tokenFact({ n, tokens }: PlanTable): TableFact {
  const over = tokens.known === n ? "" : `, over ${counted(tokens.known, "sample")}`;
  return {
    name: "tokens",
    value: `${whole(tokens.total)} a sample`,
    of: `${whole(tokens.first)} first, ${whole(tokens.repairs)} repairs${over}`,
  };
}

function claimFact({ ok, wrong }: StratumOverview["claimed"]): TableFact {
  const of = `by the service itself, ${wrong === 0 ? "all of them rightly" : `${wrong} wrongly`}`;
  return { name: "claimed ok", value: countOf(ok, "sample"), of };
}

/** Samples by how many repairs they took: `0: 63, 1: 12, failed: 9`; those that no sample took are left out. */
export function bucketWords({ buckets }: Pick<PlanTable, "buckets">): string {
  const present = bucketParts({ buckets }).filter(({ count }) => count > 0);
  return present.map(({ word, count }) => `${word}: ${grouped(count)}`).join(", ") || "none";
}

/** The mean of it: `0.32 on average`; empty where nothing became ok. */
export function meanRepairsWords({ meanRepairs }: Pick<PlanTable, "meanRepairs">): string {
  return meanRepairs === null ? "" : `${Number(meanRepairs.toFixed(2))} on average`;
}

export interface BucketPart {
  bucket: keyof PlanTable["buckets"];
  /** As a head: `0` to `4`, `5+`, `failed`. */
  word: string;
  count: number;
}

/** All buckets in their order. */
export function bucketParts({ buckets }: Pick<PlanTable, "buckets">): BucketPart[] {
  return (["0", "1", "2", "3", "4", "5", "fail"] as const).map((bucket) => ({
    bucket,
    word: bucket === "5" ? "5+" : bucket === "fail" ? "failed" : bucket,
    count: buckets[bucket],
  }));
}

function rateWords(rate: number | null): string {
  return rate === null ? "undefined" : percent(rate);
}

function ofSamples(part: number, n: number): string {
  return n === 0 ? "no samples" : `${grouped(part)} of ${counted(n, "sample")}`;
}

function timeWords({ avg, p95 }: PlanTable["sampleMs"]): string {
  return avg === null ? "undefined" : `avg ${milliseconds(avg)}, p95 ${milliseconds(p95)}`;
}

function whole(mean: number | null): string {
  return mean === null ? "–" : grouped(Math.round(mean));
}

function coverageWords({ n, planned, error }: PlanTable): string {
  const missing = error === 0 ? "" : `, ${grouped(error)} without an outcome`;
  return `${grouped(n)} of ${counted(planned, "sample")}${missing}`;
}
