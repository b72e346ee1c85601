import { statSync } from "node:fs";
import { resolve } from "node:path";
import { askLocation, documentAsk, grantArgument } from "../../config/grants/open-permissions.ts";
import {
  askDigest,
  digestAsks,
  readTrust,
  trustedAsks,
  trustFile,
  writeTrust,
} from "../../config/grants/trust-file.ts";
import type { Ask, GrantKind } from "../../contract/grant.ts";
import { collectAsks } from "../../operations/trust/collect-asks.ts";
import { realPath } from "../../shared/files/paths.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import type { TrustFlags } from "./trust-options.ts";

const groups: readonly [GrantKind, string][] = [
  ["env", "Secrets"],
  ["host", "Addresses"],
  ["read", "Paths outside the project"],
  ["program", "Programs outside the sandbox"],
];

/** `trust`: everything the files of a project ask for, granted at once until something of it changes. */
export async function trustCommand(flags: TrustFlags, io: CommandIo): Promise<ExitCode> {
  if (flags.list && flags.revoke) throw new UserError("usage", "--list and --revoke cannot be used together");
  if (flags.list) return listTrusted(io);
  const folder = existingFolder(resolve(io.cwd, flags.path));
  if (flags.revoke) return revoke(folder, io);
  const { project, asks, warnings } = await collectAsks(folder, io);
  for (const warning of warnings) io.warn(warning);
  const digest = digestAsks(asks, project);
  const facts = { project, digest, asks: asks.map((ask) => documentAsk(ask, project)) };
  if (flags.expect !== undefined) checkDigest(flags.expect, digest);
  if (asks.length === 0) {
    io.result({ ...facts, trusted: true }, `${project} asks for nothing that needs a grant`);
    return 0;
  }
  const text = askTable(asks, { project, digest, home: io.home });
  const isShown = flags.yes === true || flags.expect !== undefined;
  if (!isShown && !(await isAgreed(text, asks.length, io))) {
    io.result({ ...facts, trusted: false }, "nothing was granted");
    return 1;
  }
  writeTrust(io.home, project, trustedAsks(asks, project, new Date().toISOString()));
  const ending = `granted until one of them changes; stored in ${trustFile(io.home)}`;
  io.result({ ...facts, trusted: true }, isShown ? `${text}\n\n${ending}` : ending);
  return 0;
}

/**
 * Offers to trust a project when a run is refused and somebody is there to answer: everything it asks for, so that the next run
 * asks nothing. False where nobody is there, and where they do not want to.
 */
export async function offerTrust(missing: readonly Ask[], io: CommandIo): Promise<boolean> {
  if (io.ask === undefined || io.json || io.stdout.isTTY !== true || io.env.CI) return false;
  const { project, asks, warnings } = await collectAsks(io.cwd, io);
  for (const warning of warnings) io.warn(warning);
  // A run with other options, or over files elsewhere, may ask for more than the project does by itself.
  const all = new Map([...asks, ...missing].map((ask) => [askDigest(ask, project), ask]));
  const offered = [...all.values()];
  const needed = new Set(missing.map((ask) => askDigest(ask, project)));
  const digest = digestAsks(offered, project);
  const text = askTable(offered, { project, digest, home: io.home, needed });
  if (!(await isAgreed(text, offered.length, io))) return false;
  writeTrust(io.home, project, trustedAsks(offered, project, new Date().toISOString()));
  return true;
}

async function isAgreed(text: string, count: number, io: CommandIo): Promise<boolean> {
  if (io.ask === undefined || io.json)
    throw new UserError("usage", "trust asks for confirmation, which needs a terminal", {
      hint: "read what is asked for in a terminal first, then use --yes, or --expect with the digest shown there",
    });
  io.note(text);
  const what = count === 1 ? "this" : `these ${count} things`;
  const answer = await io.ask(`\nGrant ${what} to the project? [y/N] `, new AbortController().signal);
  return /^y(?:es)?$/i.test(answer?.trim() ?? "");
}

function askTable(
  asks: readonly Ask[],
  {
    project,
    digest,
    home,
    needed = new Set(),
  }: {
    project: string;
    digest: string;
    home: string;
    /** Digests of what a refused run needs. */
    needed?: ReadonlySet<string>;
  },
): string {
  const known = readTrust(home)[project]?.asks ?? {};
  const lines = groups.flatMap(([kind, title]) => {
    const own = asks.filter((ask) => ask.kind === kind);
    if (own.length === 0) return [];
    const items = own.flatMap((ask) => {
      const grantDigest = askDigest(ask, project);
      const state = needed.has(grantDigest) ? "  needed now" : known[grantDigest] ? "  already granted" : "";
      const subject = ask.subject === null ? "" : ` (${ask.subject})`;
      return [
        `  ${grantArgument(ask, project)}${state}`,
        `      ${ask.purpose}${subject}, in ${askLocation(ask, project)}`,
      ];
    });
    return ["", `${title}:`, ...items];
  });
  return [`${project} asks for:`, ...lines, "", `digest ${digest}`].map(visibleText).join("\n");
}

function checkDigest(expected: string, digest: string): void {
  if (expected === digest) return;
  throw new UserError(
    "grant-missing",
    `what the project asks for has the digest ${digest}, not the expected one`,
    {
      hint: "read what it asks for with eval-skills trust, and expect the digest shown there",
    },
  );
}

function listTrusted(io: CommandIo): ExitCode {
  const trusted = readTrust(io.home);
  const projects = Object.entries(trusted).map(([path, { digest, at, asks }]) => ({
    path,
    digest,
    at,
    asks: Object.values(asks),
  }));
  const blocks = projects.map(({ path, at, asks }) =>
    [`${path}  (since ${at.slice(0, 10)})`, ...asks.map((ask) => `  ${ask}`)].map(visibleText).join("\n"),
  );
  io.result({ projects }, blocks.length === 0 ? "you do not trust any project yet" : blocks.join("\n"));
  return 0;
}

function revoke(project: string, io: CommandIo): ExitCode {
  const isTrusted = Object.hasOwn(readTrust(io.home), project);
  if (isTrusted) writeTrust(io.home, project, null);
  const text = isTrusted ? `${project} is no longer trusted` : `${project} was not trusted`;
  io.result({ project, revoked: isTrusted }, text);
  return 0;
}

function existingFolder(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return realPath(path);
  throw new UserError("usage", `folder not found: ${path}`, { path });
}
