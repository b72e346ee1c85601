import type { JsonSchema } from "../shared/json/json.ts";
import type { AgentCaseFile, CaseLevel, PureCaseFile, PureKind } from "./agent-case.ts";
import type { ConversationCaseFile } from "./conversation-case.ts";
import type { Ask } from "./grant.ts";
import type { PureTest } from "./pure-case.ts";

/** A file that an agent finds in its workspace. */
export interface InputFile {
  /** Below `inputs/`, `/`-separated. */
  name: string;
  /** Where it lies, absolute. */
  path: string;
}

/** A name in a case that only a tool of a skill can have, and where it is used. */
export interface SkillToolName {
  name: string;
  /** The file as the user would name it. */
  shown: string;
  jsonPath: string;
}

/** A case as it was read and checked. */
interface LoadedCaseFacts {
  suite: string;
  /** Content of the case and of every file it names: pairs it with itself in another report. */
  digest: string;
  /** Content of what is run, without what is expected of it: decides whether a stored run can be graded anew. */
  requestDigest: string;
  level: CaseLevel;
  /** The file it is in, absolute, and its path there (`$`, `$.cases[2]`). */
  file: string;
  /** The file as the user would name it. */
  shown: string;
  jsonPath: string;
  /** The folder that `${case}` and `inputs/` and `expected/` are below. */
  dir: string;
  /** The files it was read from, and those it names: what they say decides about it. */
  files: readonly string[];
  /** What it asks for beyond the project: hosts, and paths elsewhere. */
  asks: readonly Ask[];
}
export interface LoadedAgentCase extends LoadedCaseFacts {
  kind: "agent";
  case: AgentCaseFile;
  /** The request, read. */
  request: string;
  /** Resolved: absolute paths. Null: the roots of the project. */
  skillRoots: readonly { source: "project" | "user" | "builtin"; path: string; priority: number }[] | null;
  preinstall: readonly { source: "project" | "user" | "builtin"; path: string }[];
  /** The files that are copied into the workspace, below `inputs/`. */
  inputs: readonly InputFile[];
  /** Absolute path of every file that `expect` names, by the words it names it with. */
  expectedFiles: Readonly<Record<string, string>>;
  /** Absolute path of every file that its checks name, by the words they name it with. */
  checkFiles: Readonly<Record<string, string>>;
  /** The schema the output must fit, read; undefined where none is required. */
  outputSchema: JsonSchema | undefined;
  /** Checked when its skills are known. */
  skillTools: readonly SkillToolName[];
}
export interface LoadedPureCase extends LoadedCaseFacts {
  kind: PureKind;
  case: PureCaseFile;
  test: PureTest;
}
export interface LoadedConversationCase extends LoadedCaseFacts {
  kind: "conversation";
  case: ConversationCaseFile;
  /** The request, read. */
  request: string;
  /** Resolved: absolute paths. Null: the roots of the project. */
  skillRoots: LoadedAgentCase["skillRoots"];
  /** The document that is open, absolute; null where there is none. Read when the case is run. */
  document: string | null;
  /** Ids of the skills that are given instead of routed; null: the router chooses. */
  forced: readonly string[] | null;
  /** Absolute path of every file that `expect` names, by the words it names it with. */
  expectedFiles: Readonly<Record<string, string>>;
  /** The schema the output must fit, read; undefined where none is required. */
  outputSchema: JsonSchema | undefined;
}
export type LoadedCase = LoadedAgentCase | LoadedPureCase | LoadedConversationCase;

/** Cases that belong together. */
export interface LoadedSuite {
  name: string;
  /** As the user would name it. */
  shown: string;
  cases: readonly LoadedCase[];
  warnings: readonly string[];
}
