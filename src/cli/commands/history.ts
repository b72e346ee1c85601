import { subjectName } from "../../contract/cell.ts";
import type { RunHistory } from "../../contract/store.ts";
import { readHistory } from "../../operations/report/read-history.ts";
import { historyLines } from "../../report/history/history-lines.ts";
import { collectPages } from "../../shared/async/each-of.ts";
import { nearest } from "../../shared/text/nearest.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { missingStore, openHistory } from "../io/open-history.ts";
import type { HistoryFlags } from "./history-options.ts";

/** `history`: finished runs, newest first, with what changed. */
export async function historyCommand(flags: HistoryFlags, io: CommandIo): Promise<ExitCode> {
  const { history, storePath, isTyped } = await openHistory(flags.store, io);
  await using _ = history;
  if (history === null) {
    if (isTyped) throw missingStore(storePath);
    io.result({ rows: [] }, "");
    io.note(`no runs yet: store not found: ${storePath}`);
    return 0;
  }
  const { rows, trends } = await readHistory(history, {
    subject: flags.skill,
    suite: flags.benchmark,
    since: flags.since,
    limit: flags.limit,
  });
  const layout = { color: io.color, width: io.width, isUnicode: showsUnicode(io) };
  io.result({ rows }, rows.length === 0 ? "" : historyLines(rows, trends, layout));
  if (rows.length === 0) io.note(await nothingFound(flags, history));
  return 0;
}

/** Names what was not found, with the nearest match. */
async function nothingFound({ skill, benchmark, since }: HistoryFlags, history: RunHistory): Promise<string> {
  const wanted = [
    skill === undefined ? "" : ` of skill ${skill}`,
    benchmark === undefined ? "" : ` on benchmark ${benchmark}`,
    since === undefined ? "" : ` since ${since}`,
  ].join("");
  const known = await collectPages(history.finishedReports({ isLatestOnly: true }));
  const near = [
    skill === undefined
      ? null
      : meant(
          skill,
          known.map(({ subject }) => subjectName(subject)),
        ),
    benchmark === undefined
      ? null
      : meant(
          benchmark,
          known.map(({ subject }) => subject.suite),
        ),
  ].filter((word) => word !== null);
  const hint = near.length === 0 ? "" : `; did you mean ${near.join(" on ")}?`;
  return `no finished run${wanted}${hint}`;
}

function meant(word: string, known: readonly string[]): string | null {
  return known.includes(word) ? null : nearest(word, known);
}

/** A terminal without a known encoding is assumed to support Unicode, as everywhere else. */
function showsUnicode({ env }: CommandIo): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "UTF-8";
  return env.TERM !== "dumb" && /utf-?8/i.test(locale);
}
