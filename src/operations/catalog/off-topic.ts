import { resolve } from "node:path";
import type { ReadyTriggers } from "../../levels/trigger/prepare.ts";
import { makeQuery } from "../../levels/trigger/queries/make-query.ts";
import type { TriggerSubject } from "../../levels/trigger/subject.ts";
import { askOnce } from "../../levels/trigger/verdict/judge-query.ts";
import { forEachLimited } from "../../shared/async/each-of.ts";
import { readTextFile } from "../../shared/files/read-text-file.ts";
import { UserError } from "../../shared/user-error.ts";
import { type CatalogReport, countedShare } from "./compare/catalog-report.ts";
import type { JudgingContext } from "./judge-in-temporary-store.ts";

/** Which skills are loaded for requests meant for none. A judge that sees one skill at a time leaves this to the router. */
export async function askOffTopic(
  queries: readonly string[],
  { judges, subjects }: Pick<ReadyTriggers, "judges" | "subjects">,
  { concurrency, signal }: Pick<JudgingContext, "concurrency" | "signal">,
): Promise<CatalogReport["offTopic"]> {
  const chooser = subjects.find(({ judge }) => judge?.kind === "catalog");
  const router = await judges.router();
  const ask =
    chooser?.judge != null
      ? makeAsk(chooser, chooser.judge, signal)
      : async (query: string) => {
          const { skills } = await router.route({ query, about: [] }, signal);
          return skills.find(({ rank }) => rank === 1)?.id ?? null;
        };
  const answers = new Map<string, string | null | undefined>(queries.map((query) => [query, undefined]));
  await forEachLimited(
    [...answers.keys()],
    concurrency,
    async (query) => void answers.set(query, await ask(query)),
  );
  const answered = [...answers].filter(([, chosen]) => chosen !== undefined);
  const loading = answered.flatMap(([query, chosen]) => (chosen == null ? [] : [{ query, chosen }]));
  return {
    judge: chooser?.judge?.label ?? `router (${router.mode})`,
    ...countedShare(loading.length, answered.length),
    unanswered: answers.size - answered.length, // not part of the share
    queries: loading,
  };
}

/** Returns undefined where there is no usable answer. */
function makeAsk(
  { judged, digest }: TriggerSubject,
  judge: NonNullable<TriggerSubject["judge"]>,
  signal: AbortSignal,
): (query: string) => Promise<string | null | undefined> {
  return async (text) => {
    const made = makeQuery({ text, side: "should_not_match", location: { file: "" } });
    if (!made.ok) return undefined;
    const { query } = made;
    const question = { skill: { ...judged, digest }, query: { id: query.id, text: query.text }, repeat: 0 };
    const answer = await askOnce(question, { judge, signal });
    const isDecided = answer.outcome === "yes" || answer.outcome === "no";
    return isDecided ? (answer.chosen ?? null) : undefined;
  };
}

const maxFileBytes = 4 * 1024 * 1024;
const maxRequests = 10_000;
const maxRequestChars = 4000;

/** Reads requests that are meant for no skill: plain text, one a line. */
export function readOffTopicFile(path: string, cwd: string): string[] {
  const rules = { code: "suite-invalid", capBytes: maxFileBytes, shownPath: path } as const;
  const lines = readTextFile(resolve(cwd, path), rules)
    .split("\n")
    .map((line) => line.trim().normalize("NFC"));
  const requests = [...new Set(lines)].filter((line) => line !== "");
  if (requests.length === 0) throw problem(path, "contains no requests");
  if (requests.length > maxRequests) throw problem(path, `contains more than ${maxRequests} requests`);
  const long = lines.findIndex((line) => line.length > maxRequestChars);
  if (long !== -1) throw problem(path, `line ${long + 1} has more than ${maxRequestChars} characters`);
  return requests;
}

function problem(path: string, what: string): UserError {
  return new UserError("suite-invalid", `off-topic file ${path}: ${what}`, {
    path,
    hint: "--off-topic takes a text file with one request per line",
  });
}
