import type { Diagnostic, Profile } from "../contract/findings.ts";
import type { Skill } from "../contract/skill.ts";
import type { Clock } from "../shared/async/clock.ts";
import { canonicalJson } from "../shared/json/canonical-json.ts";
import { UserError } from "../shared/user-error.ts";
import { type DescribedFolder, describeFound } from "./describe-found.ts";
import type { FoundFolder } from "./discover/discover-skills.ts";
import { examineFiles } from "./examine-files.ts";
import { digestFiles, type FolderDigest } from "./folder/digest.ts";
import { type FolderContent, followFolder } from "./folder/folder-watch.ts";
import { isIgnored } from "./folder/walk-folder.ts";

/** The result of reading a whole folder. */
export interface SkillReading {
  found: FoundFolder;
  /** Null if it cannot be loaded; the diagnostics say why. */
  skill: Skill | null;
  diagnostics: readonly Diagnostic[];
}

/** A folder that is read again, whole, whenever its content changed. */
export interface FollowedSkill {
  /** What it is now: the same object as long as the content is the same. */
  current(): Promise<SkillReading>;
}

export interface FollowOptions {
  profile: Profile;
  /** Paths that are never part of a skill: the store and the report folder. */
  exclude: readonly string[];
  clock: Clock;
}

export function followSkill(found: FoundFolder, options: FollowOptions): FollowedSkill {
  let known: KnownSkill | null = null;
  return {
    async current() {
      const isSame = known?.digest != null && known.digest === (await digestNow(known.content)).digest;
      if (known === null || !isSame) known = await readWhole(found, options, known?.ignore ?? []);
      return known.reading;
    },
  };
}

interface KnownSkill {
  reading: SkillReading;
  content: FolderContent;
  ignore: readonly string[];
  /** Of all that is compared; null where that is unknown, so that it is read anew each time. */
  digest: string | null;
}

/** Edits beyond that many are picked up at the next use. */
const maxReadings = 5;

/** Describes and hashes until nothing changed in between, so that what the files say and their digest belong together. */
async function readWhole(
  found: FoundFolder,
  options: FollowOptions,
  ignoredBefore: readonly string[],
): Promise<KnownSkill> {
  const { profile, exclude, clock } = options;
  let ignore = ignoredBefore;
  for (let readings = 1; ; readings++) {
    const content = followFolder(found.dir, { ignore, exclude, keep: alwaysCompared(found) }, clock);
    const before = await digestNow(content);
    const described = await describeFound(found, profile);
    const wanted = described.skill?.adapter?.metadata.digestIgnore ?? [];
    const hasSettled = canonicalJson(wanted) === canonicalJson(ignore);
    const after = hasSettled ? await digestNow(content) : before;
    const isSame = hasSettled && before.digest === after.digest;
    if (isSame || readings === maxReadings) {
      const reading = makeReading(described, after, ignore);
      return { reading, content, ignore, digest: isSame ? after.digest : null };
    }
    ignore = wanted;
  }
}

/** What a use depends on counts, even where a skill leaves it out of its digest. */
function alwaysCompared({ manifestFile }: FoundFolder): string[] {
  const described = ["skill.json", "adapter.config.json", "SKILL.md", "meta.yml"];
  return [...described, ...(manifestFile === undefined ? [] : [manifestFile]), "scripts", "schemas"];
}

type DigestReading = FolderDigest | { digest: null; problem: UserError };

async function digestNow(content: FolderContent): Promise<DigestReading> {
  try {
    return await content.current();
  } catch (error) {
    if (!(error instanceof UserError)) throw error; // this machine failed, not the skill
    return { digest: null, problem: error };
  }
}

function makeReading(
  { found, folder, skill, diagnostics }: DescribedFolder,
  look: DigestReading,
  ignore: readonly string[],
): SkillReading {
  if (look.digest !== null) {
    const findings = diagnostics.list();
    const counted = look.files.filter(({ path }) => !isLeftOut(path, ignore));
    return {
      found,
      skill: skill === null ? null : { ...skill, ...digestFiles(counted), diagnostics: findings },
      diagnostics: findings,
    };
  }
  examineFiles(skill, folder, diagnostics);
  if (!diagnostics.hasErrors()) diagnostics.add("SKD06", { file: "." }, `.: ${look.problem.message}`);
  return { found, skill: null, diagnostics: diagnostics.list() };
}

/** Whether a pattern names the file or a folder above it. */
function isLeftOut(path: string, ignore: readonly string[]): boolean {
  if (ignore.length === 0) return false;
  const names = path.split("/");
  return names.some((_, n) => isIgnored(names.slice(0, n + 1).join("/"), ignore));
}
