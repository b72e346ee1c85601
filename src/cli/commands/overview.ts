import { loadConfig } from "../../config/load-config.ts";
import { projectRoot } from "../../engine/request.ts";
import { discoverMaterial } from "../../operations/test/discover-material.ts";
import { looksLikeProject, type Overview, projectOverview } from "../../operations/test/overview.ts";
import { ownRoots } from "../../operations/test/request.ts";
import { alignedLines } from "../../report/text/text-table.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { toUserError } from "../../shared/user-error.ts";
import type { CommandIo } from "../io/command-io.ts";
import { openHistory } from "../io/open-history.ts";

/** `eval-skills` alone, in a folder with skills: what there is, and what to type next. False elsewhere. */
export async function showOverview(io: CommandIo): Promise<boolean> {
  if (!looksLikeProject(io.cwd)) return false;
  const overview = await findOverview(io).catch((error: unknown) => {
    if (toUserError(error) === null) throw error;
    return null; // the command that is typed next says what is wrong
  });
  if (overview === null || overview.skills + overview.notLoaded.length === 0) return false;
  const next = nextCommands(overview);
  io.result({ ...overview, next: next.map(([command]) => command) }, describe(overview, next));
  return true;
}

async function findOverview(io: CommandIo): Promise<Overview> {
  const loaded = await loadConfig(io);
  const material = await discoverMaterial({
    ...{ paths: [], skills: [], cwd: io.cwd },
    projectRoot: projectRoot(loaded.files, io.cwd),
    roots: ownRoots(loaded),
  });
  const { history } = await openHistory(undefined, io);
  await using _ = history;
  return await projectOverview(material, history);
}

type Next = readonly [command: string, does: string];

function nextCommands({ tests, untested, lastRun, notLoaded }: Overview): Next[] {
  const failed = lastRun !== null && lastRun.passed < lastRun.total && lastRun.command === "test";
  const [broken] = notLoaded;
  const all: Next[] = [
    ...(tests.length > 0 ? [["eval-skills test", "run every test"] as const] : []),
    ...(failed ? [["eval-skills report show reports/test-result.json", "see what failed"] as const] : []),
    ...(broken === undefined
      ? []
      : [[`eval-skills doctor ${broken}`, "see why it cannot be loaded"] as const]),
    ...(tests.length > 0 ? [["eval-skills test --dry-run", "see what would run"] as const] : []),
    ...(untested.length > 0
      ? [["eval-skills create --name my_skill", "see in a new skill how tests are written"] as const]
      : []),
    ["eval-skills doctor", "check how skills are written"],
    ["eval-skills --help", "see all commands"],
  ];
  return all.slice(0, 3);
}

const shownNames = 5;

function describe(overview: Overview, next: readonly Next[]): string {
  const { skills, tests, untested, notLoaded, lastRun } = overview;
  const named = (names: readonly string[]) => visibleText(listed(names, shownNames));
  const rows = [
    ["skills", String(skills)],
    ...tests.map((one) => [one.kind, `${pluralize(one.skills, "skill")}, ${pluralize(one.files, "file")}`]),
    ...(untested.length === 0
      ? []
      : [["no tests", `${pluralize(untested.length, "skill")}: ${named(untested)}`]]),
    ...(notLoaded.length === 0 ? [] : [["not loaded", named(notLoaded)]]),
    ["last run", lastRun === null ? "none" : lastRunWords(lastRun)],
  ];
  return [
    ...alignedLines(rows, {}),
    "",
    "next:",
    ...alignedLines(
      next.map((one) => ["", ...one]),
      {},
    ),
  ].join("\n");
}

function lastRunWords({ finishedAt, command, passed, total }: NonNullable<Overview["lastRun"]>): string {
  const time = `${finishedAt.slice(0, "2026-11-19T18:20".length).replace("T", " ")} UTC`;
  const came = passed === total ? `all ${total} passed` : `${total - passed} of ${total} did not pass`;
  return `${time}, ${command}: ${came}`;
}
