import { join } from "node:path";
import type { PlannedCase, Subject } from "../../contract/cell.ts";
import { describingFile } from "../../contract/describing-file.ts";
import type { RunInput, SuiteRun } from "../../contract/level.ts";
import { type PlainSuite, plainRun, plainSuite } from "../../engine/plain-suite.ts";
import type { PreparedRun, SuiteContext } from "../../engine/prepared-run.ts";
import { hasEvalFile, type TriggeringCheck } from "../../lint/examine-found.ts";
import { relatedFindings, siblingNames } from "../../lint/related-findings.ts";
import { forEachLimited } from "../../shared/async/each-of.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import type { Json } from "../../shared/json/json.ts";
import { UserError } from "../../shared/user-error.ts";
import { type ReadFolder, readFound } from "../../skills/describe-found.ts";
import type { FoundFolder } from "../../skills/discover/discover-skills.ts";
import { contentDigest } from "../../skills/folder/content-digest.ts";
import { type ContractSubject, checkContract, scoreContract } from "./check-contract.ts";
import { ContractEvidence } from "./details.ts";
import { contractFold } from "./fold.ts";
import { contractLevel } from "./level.ts";

/** Which contracts are checked. */
export interface ContractPlan {
  /** Everything that was found, unreadable folders too: those are failed contracts. */
  skills: readonly FoundFolder[];
  cwd: string;
}

export interface ContractContext {
  /** Of this program: other checks may decide otherwise. */
  version: string;
  /** Never part of a skill's digest: the store, reports. */
  exclude: readonly string[];
  /** How the trigger tests of a skill are checked, which their level knows. */
  checkTriggering: TriggeringCheck;
}

/** Contracts that are ready to be checked, and the hash of each by the name of what it rests on, for `--resume`. */
export interface ReadyContracts extends PreparedRun {
  identity: Readonly<Record<string, string>>;
}

/** A skill as the subject of its contract. */
interface Contract extends Subject, ContractSubject {
  skillId: string;
  cases: readonly [PlannedCase];
  input: RunInput;
  /** The file that describes it, or its folder where none can be read. */
  file: string;
}

/** The suite is named for the commands whose checks it holds. */
const suiteName = "doctor+audit";

/** The case that every skill has in it. */
const contractName = "contract";

/** How many folders are read at once. */
const concurrency = 16;

/** Plans a cell for every skill. Nothing is refused here: what is wrong with a skill is a result. */
export async function prepareContract(
  { skills, cwd }: ContractPlan,
  { version, exclude, checkTriggering }: ContractContext,
): Promise<ReadyContracts> {
  const contracts = await readContracts(skills, { cwd, exclude });
  return {
    ...plainRun({
      suites: ({ clock }) => [contractSuite(contracts, { version, clock, checkTriggering })],
      skillIds: contracts.map(({ skillId }) => skillId),
      startsNothing: true,
    }),
    identity: Object.fromEntries(
      contracts.map(({ skillId, skillDigest, cases: [one] }) => [
        `the files of ${skillId}`,
        sha256(`${skillDigest} ${one.digest}`),
      ]),
    ),
  };
}

interface SuiteFacts
  extends Pick<ContractContext, "version" | "checkTriggering">,
    Pick<SuiteContext, "clock"> {}

function contractSuite(contracts: readonly Contract[], facts: SuiteFacts): SuiteRun {
  const { version, clock, checkTriggering } = facts;
  const bySkill = new Map(contracts.map((contract) => [contract.skillId, contract]));
  const contractOf = ({ skillId }: Pick<Subject, "skillId">): Contract => {
    const contract = bySkill.get(skillId ?? "");
    if (contract === undefined) throw new Error(`${skillId} has no contract`);
    return contract;
  };
  const suite: PlainSuite<PlannedCase> = {
    level: contractLevel,
    id: suiteName,
    subjects: contracts,
    cases: [],
    casesOf: (subject) => contractOf(subject).cases,
    keyPart: version,
    async execute({ subject }, signal) {
      signal.throwIfAborted();
      const beganMs = clock.monotonic();
      try {
        const evidence = await checkContract(contractOf(subject), checkTriggering);
        const output: Json = ContractEvidence.parse(evidence);
        return { status: "answered", output, latencyMs: clock.monotonic() - beganMs };
      } catch (error) {
        // What nothing can look at was changed while it was looked at.
        if (!(error instanceof UserError)) throw error;
        const latencyMs = clock.monotonic() - beganMs;
        return { status: "invalid", cause: "not-examined", message: error.message, latencyMs };
      }
    },
    score: ({ output }) => scoreContract(ContractEvidence.parse(output)),
    detailsOf: ({ subject }) => ({ folder: contractOf(subject).found.shown }),
    inputsOf: ({ subject }) => [contractOf(subject).input],
    keepsWholeOutput: true,
    fold: contractFold(),
    fileOf: (subject) => contractOf(subject).file,
  };
  return plainSuite(suite);
}

/** Reads what decides about each contract: the files of the skill, and what other skills have to do with it. */
async function readContracts(
  skills: readonly FoundFolder[],
  { cwd, exclude }: Pick<ContractPlan, "cwd"> & Pick<ContractContext, "exclude">,
): Promise<Contract[]> {
  const read = new Map<FoundFolder, ReadFolder & { digest: string }>();
  await forEachLimited(skills, concurrency, async (found) => {
    const digest = await contentDigest(found.dir, exclude);
    read.set(found, { ...(await readFound(found)), digest });
  });
  const folders = skills.flatMap((found) => read.get(found) ?? []);
  const loaded = folders.flatMap(({ found, skill }) => (skill === null ? [] : [{ found, skill }]));
  const related = relatedFindings(loaded);
  const hasQueries = folders.some(({ folder }) => hasEvalFile(folder));
  const siblings = hasQueries ? await siblingNames(loaded, cwd) : null;
  const names = contractNames(folders);
  return folders.map((one): Contract => {
    const { found, folder, skill, digest: skillDigest } = one;
    const skillId = names.get(one) ?? found.shown;
    const own = {
      found,
      related: related.get(found) ?? [],
      siblings: hasEvalFile(folder) ? siblings : null,
    };
    return {
      ...{ skillId, skillVersion: skill?.version ?? "", skillDigest, model: null, arm: null },
      ...own,
      file: skill === null ? found.dir : join(found.dir, describingFile(skill)),
      cases: [contractCase(own)],
      input: {
        cause: "skill-changed",
        name: `the files of ${skillId}`,
        look: async () => (await contentDigest(found.dir, exclude)) === skillDigest,
      },
    };
  });
}

/** What else than the files of a skill decides about its contract. */
function contractCase({ related, siblings }: Pick<ContractSubject, "related" | "siblings">): PlannedCase {
  const findings = related.map(({ code, message }) => [code, message]);
  const names = siblings === null ? null : [...siblings].sort();
  return {
    id: contractName,
    digest: sha256(canonicalJson([findings, names])),
    title: null,
    input: null,
    expected: null,
    tags: [],
    weight: 1,
  };
}

/** Every skill by its id, or by its folder where it has none; of several with one name, only the first. */
function contractNames(folders: readonly ReadFolder[]): Map<ReadFolder, string> {
  const names = new Map<ReadFolder, string>();
  const taken = new Set<string>();
  for (const one of folders) {
    const { found, folder, skill } = one;
    const id = skill?.id ?? folder.name;
    const where = found.manifestFile === undefined ? found.shown : `${found.shown}/${found.manifestFile}`;
    const name = taken.has(id) ? `${id} in ${where}` : id;
    taken.add(name);
    names.set(one, name);
  }
  return names;
}
