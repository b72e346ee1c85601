import { readFileSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { type Ask, askText, type GrantedAsk, GrantMissing, type Permissions } from "../../contract/grant.ts";
import { isInside, nearPath, realPath } from "../../shared/files/paths.ts";
import type { TextPosition } from "../../shared/json/locations.ts";
import { writtenPosition } from "../../shared/json/written-position.ts";
import { shellWord } from "../../shared/text/command-line.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import { coversAsk, type Grant, parseGrant } from "./parse-grant.ts";
import { askDigest, readTrust } from "./trust-file.ts";

/** Everything a user has granted, wherever they did. */
export interface GrantSources {
  cwd: string;
  /** Where trust is stored; left out, only what is given here counts. */
  home?: string | undefined;
  /** The root of the project, absolute. */
  project: string;
  /** What was typed. */
  typed: readonly string[];
  /** `grants` of the user's own file: project path or glob → what it may have. */
  configured?: Readonly<Record<string, readonly string[]>>;
  /** What the user's own file grants to every project: hosts it opens the network to. */
  hosts?: readonly string[];
  /** Where `configured` is written. */
  userFile?: string | null;
  /** Called with what is granted and about to be used, each once. */
  onUse?: ((granted: readonly GrantedAsk[]) => void) | undefined;
}

/** Reads what a user granted: by flag for this run, in their own file, or by trust. */
export function openPermissions(sources: GrantSources): Permissions {
  const { cwd, home, typed } = sources;
  const project = realPath(sources.project);
  const flags = typed.map((text) => parseGrant(text, cwd));
  const own = grantsInUserFile(sources, project);
  const trusted = Object.entries(home === undefined ? {} : readTrust(home));
  const used = new Map<string, GrantedAsk>();
  let expected: readonly Ask[] = [];

  /** What was trusted as a part of this project, of one around it, or of the one that the file is in. */
  function isTrusted(ask: Ask): boolean {
    const file = realPath(ask.file);
    return trusted.some(
      ([root, { asks }]) =>
        (isInside(root, project) || isInside(root, file)) && Object.hasOwn(asks, askDigest(ask, root)),
    );
  }

  function grantedBy(ask: Ask): GrantedAsk["by"] | null {
    if (flags.some((grant) => coversAsk(grant, ask))) return "flag";
    if (own.some((grant) => coversAsk(grant, ask))) return "user file";
    return isTrusted(ask) ? "trust" : null;
  }

  const missing = (asks: readonly Ask[]) => asks.filter((ask) => grantedBy(ask) === null);
  return {
    isGranted: (ask) => grantedBy(ask) !== null,
    missing,
    expect(asks) {
      expected = [...expected, ...asks];
    },
    require(required) {
      const asks = [...expected, ...required];
      const refused = missing(asks);
      if (refused.length > 0) throw notGranted(refused, { cwd, project });
      const added: GrantedAsk[] = [];
      for (const ask of asks) {
        const { kind, value, subject, asker, to, purpose } = ask;
        const by = grantedBy(ask);
        const key = `${askText(ask)} ${purpose} ${subject}`;
        if (by === null || used.has(key)) continue;
        const granted = { kind, value, subject, asker, to, purpose, by };
        used.set(key, granted);
        added.push(granted);
      }
      if (added.length > 0) sources.onUse?.(added);
    },
    readable: () => [...readGrants(flags, "flag"), ...readGrants(own, "user file")],
    granted: () => [...used.values()],
  };
}

function readGrants<By extends string>(grants: readonly Grant[], by: By): { path: string; by: By }[] {
  return grants.flatMap(({ kind, value }) => (kind === "read" ? [{ path: value, by }] : []));
}

function grantsInUserFile(
  { configured = {}, hosts = [], userFile, home = "/" }: GrantSources,
  project: string,
): Grant[] {
  const own = Object.entries(configured).filter(([pattern]) => isProject(pattern, project, home));
  return [...own.flatMap(([, texts]) => texts), ...hosts].map((text) =>
    parseGrant(text, project, `${userFile ?? "the user file"}: grants`),
  );
}

/** A path or a glob, from `~` or from the root: a relative one would mean another project in every folder. */
function isProject(pattern: string, project: string, home: string): boolean {
  const path = pattern.startsWith("~/") ? resolve(home, pattern.slice(2)) : pattern;
  return isAbsolute(path) && (realPath(path) === project || globPattern(path).test(project));
}

function globPattern(glob: string): RegExp {
  const parts = glob.split(/(\*\*|\*)/).map((part) => {
    if (part === "**") return ".*";
    return part === "*" ? "[^/]*" : part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`);
}

/** One error for everything missing. */
function notGranted(asks: readonly Ask[], { cwd, project }: { cwd: string; project: string }): GrantMissing {
  const unique = [...new Map(asks.map((ask) => [askDigest(ask, project), ask])).values()];
  for (const ask of unique) refuseMalformed(ask, cwd);
  // A name with a line break in it must not look like a line of ours.
  const lines = unique.map((ask) => `  ${visibleText(describeAsk(ask, cwd))}`);
  const flags = [...new Set(asks.map((ask) => `--grant ${shellWord(grantArgument(ask, cwd))}`))];
  const trust = trustCommands(asks, { cwd, project });
  const [first] = asks;
  const noun = lines.length === 1 ? "something" : `${lines.length} things`;
  const message = `files of this project ask for ${noun} that you have not granted:\n${lines.join("\n")}`;
  const location = {
    path: first?.file,
    hint: `for this run: ${flags.join(" ")}; for good, after reading everything they ask for: ${trust.join(" && ")}`,
    details: { asks: unique.map((ask) => documentAsk(ask, cwd)) },
  };
  return new GrantMissing(message, unique, location, { flags, trust });
}

/** An ask that no grant could cover is a mistake in the file: a command that grants it would be refused. */
function refuseMalformed(ask: Ask, cwd: string): void {
  const argument = grantArgument(ask, cwd);
  const where = `${askLocation(ask, cwd)}: ${ask.purpose}`;
  const grant = parseGrant(argument, cwd, visibleText(where));
  if (!coversAsk(grant, ask)) throw new UserError("config-invalid", `${where}: no grant covers ${argument}`);
}

/** Of the project, and of the folders of what is asked elsewhere. */
function trustCommands(
  asks: readonly Ask[],
  { cwd, project }: { cwd: string; project: string },
): readonly string[] {
  const folders = asks.map(({ file }) => {
    const real = realPath(file);
    return isInside(project, real) ? project : dirname(real);
  });
  return [...new Set(folders)].map((folder) =>
    folder === realPath(cwd) ? "eval-skills trust" : `eval-skills trust ${shellWord(nearPath(folder, cwd))}`,
  );
}

/** An ask as programs read it. */
export function documentAsk(ask: Ask, folder: string): object {
  const { kind, value, subject, purpose } = ask;
  return { kind, value, subject, purpose, where: askLocation(ask, folder) };
}

/** What is asked, by whom, what for, and where that is written. */
function describeAsk(ask: Ask, cwd: string): string {
  const { subject, purpose } = ask;
  const asking = subject === null ? "" : `, for ${subject}`;
  return `${grantArgument(ask, cwd)}  ${purpose}${asking}  (${askLocation(ask, cwd)})`;
}

/** The file that asks, with line and column where they are known. */
export function askLocation(ask: Ask, cwd: string): string {
  const position = findPosition(ask);
  return `${nearPath(ask.file, cwd)}${position === null ? "" : `:${position.line}:${position.column}`}`;
}

/** An ask as it is typed after `--grant`. */
export function grantArgument(ask: Ask, cwd: string): string {
  return ask.kind === "read" ? `read:${nearPath(ask.value, cwd)}` : askText(ask);
}

/** Where an ask is written; null where the file does not say. */
function findPosition({ file, steps }: Ask): TextPosition | null {
  try {
    return writtenPosition(readFileSync(file, "utf8"), steps, { isLines: file.endsWith(".jsonl") });
  } catch {
    return null;
  }
}
