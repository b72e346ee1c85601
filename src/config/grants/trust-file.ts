import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import * as z from "zod";
import { type Ask, askText } from "../../contract/grant.ts";
import { makeFolder, realPath } from "../../shared/files/paths.ts";
import { writeWholeFile } from "../../shared/files/whole-file.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import { UserError } from "../../shared/user-error.ts";

const TrustedProject = z.object({
  /** Of everything that was asked for when it was trusted. */
  digest: z.string(),
  /** When, as a date and time. */
  at: z.string(),
  /** Digest of an ask → how it reads. */
  asks: z.record(z.string(), z.string()),
});
const TrustFile = z.object({ version: z.literal(1), projects: z.record(z.string(), TrustedProject) });
type TrustFile = z.infer<typeof TrustFile>;
export type TrustedProject = z.infer<typeof TrustedProject>;

/** Where trust is stored: outside every project. */
export function trustFile(home: string): string {
  return join(home, ".eval-skills", "trust.json");
}

/** What was trusted, by the real path of the project. A damaged file trusts nothing. */
export function readTrust(home: string): Readonly<Record<string, TrustedProject>> {
  const path = trustFile(home);
  if (!existsSync(path)) return {};
  try {
    return TrustFile.parse(JSON.parse(readFileSync(path, "utf8"))).projects;
  } catch {
    throw new UserError("config-invalid", `${path} cannot be read`, {
      path,
      hint: `delete it and trust your projects again: rm ${path}`,
    });
  }
}

/** Stores what was trusted; null takes the trust back. */
export function writeTrust(home: string, project: string, trusted: TrustedProject | null): void {
  const path = trustFile(home);
  const { [project]: _, ...others } = readTrust(home);
  const content: TrustFile = {
    version: 1,
    projects: trusted === null ? others : { ...others, [project]: trusted },
  };
  makeFolder(join(home, ".eval-skills"), 0o700);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new UserError("output-unwritable", `${path} is a link`, { path, hint: `delete it: rm ${path}` });
  writeWholeFile(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}

/** What makes an ask the same one as before: who asks for what, where it goes, in which file of the project. */
export function askDigest(ask: Ask, project: string): string {
  const { kind, value, subject, purpose, file } = ask;
  return sha256(canonicalJson([kind, value, subject, purpose, relative(project, realPath(file))]));
}

/** All asks of a project as something to trust. */
export function trustedAsks(asks: readonly Ask[], project: string, at: string): TrustedProject {
  const entries = asks.map((ask) => [askDigest(ask, project), askText(ask)] as const);
  return { digest: digestAsks(asks, project), at, asks: Object.fromEntries(entries) };
}

/** One digest of everything a project asks for, whatever the order. */
export function digestAsks(asks: readonly Ask[], project: string): string {
  const all = [...new Set(asks.map((ask) => askDigest(ask, project)))].sort();
  return sha256(canonicalJson(all));
}
