import * as z from "zod";
import { visibleText } from "../shared/text/visible-text.ts";
import { type ErrorLocation, UserError } from "../shared/user-error.ts";

/** What a person can grant: a secret, an address, a program outside the sandbox, a folder outside the project. */
export const grantKinds = ["env", "host", "program", "read"] as const;
export type GrantKind = (typeof grantKinds)[number];

/** What asks besides the configuration of the project. */
const askers = ["skill", "case", "benchmark", "bench"] as const;

/** Something a file of the working tree asks for and only a person may grant. */
export interface Ask {
  kind: GrantKind;
  /** `env`: the name of the variable. `host`: `host:port`. `program`: its name. `read`: an absolute path. */
  value: string;
  /** The skill, case or bench that asks; null for the configuration of the project. */
  subject: string | null;
  /** What the subject is. */
  asker: (typeof askers)[number] | null;
  /** Where it is sent, as `host:port`; null where it stays on this machine. */
  to: string | null;
  /** What it is used for and where it goes, such as `sent to https://api.example.com as a bearer token`. */
  purpose: string;
  /** The file that asks, absolute. */
  file: string;
  /** The member of that file. */
  steps: readonly PropertyKey[];
}

/** What was granted to a run, and by what. */
export const GrantedAsk = z.object({
  kind: z.enum(grantKinds),
  value: z.string(),
  subject: z.string().nullable(),
  asker: z.enum(askers).nullable(),
  to: z.string().nullable(),
  purpose: z.string(),
  by: z.enum(["flag", "user file", "trust"]),
});
export type GrantedAsk = z.infer<typeof GrantedAsk>;

/** What the user allows files to have. */
export interface Permissions {
  isGranted(ask: Ask): boolean;
  /** Those that nobody granted. */
  missing(asks: readonly Ask[]): Ask[];
  /** Remembers what must be granted as well when something is required next, so that a user sees one refusal and not several. */
  expect(asks: readonly Ask[]): void;
  /** Throws one error that names everything missing, its file and line, and the command that grants it. */
  require(asks: readonly Ask[]): void;
  /** Files and folders that skills may read besides their own, whether or not a file asks for them: absolute paths. */
  readable(): readonly { path: string; by: "flag" | "user file" }[];
  /** What was required and granted so far, each once. */
  granted(): readonly GrantedAsk[];
}

/** Why a run is refused: files ask for what nobody granted. */
export class GrantMissing extends UserError {
  readonly asks: readonly Ask[];
  /** How to grant it: words for this run, and commands that do it for good. */
  readonly grants: { flags: readonly string[]; trust: readonly string[] };

  constructor(
    message: string,
    asks: readonly Ask[],
    location: ErrorLocation,
    grants: GrantMissing["grants"] = { flags: [], trust: [] },
  ) {
    super("grant-missing", message, location);
    this.asks = asks;
    this.grants = grants;
  }
}

/** How an ask is written as a grant that covers it: `env:OPENWEATHER_KEY@weather`. */
export function askText({ kind, value, subject }: Pick<Ask, "kind" | "value" | "subject">): string {
  return `${kind}:${value}${subject !== null && kind === "env" ? `@${subject}` : ""}`;
}

/** What was granted, a line for each subject and address: `sends to api.example.com with WEATHER_KEY (skill weather)`. */
export function describeGrants(granted: readonly GrantedAsk[]): string[] {
  const lines = new Map<string, GrantedAsk[]>();
  for (const one of granted) {
    const isShown = one.purpose === shownToSkills;
    const key = JSON.stringify([
      one.to === null ? one.kind : "sends",
      ...[one.to, one.asker, one.subject, isShown],
    ]);
    lines.set(key, [...(lines.get(key) ?? []), one]);
  }
  // Names are a stranger's: one with a line break in it must not look like another line.
  return [...lines.values()].map((line) => visibleText(describeLine(line)));
}

function describeLine(granted: readonly GrantedAsk[]): string {
  const [{ kind = "env", asker = null, subject = null, to = null } = {}] = granted;
  const who = subject === null ? "the project's configuration" : `${asker ?? "skill"} ${subject}`;
  const valuesOf = (wanted: GrantKind) =>
    [...new Set(granted.flatMap(({ kind, value }) => (kind === wanted ? [value] : [])))].join(", ");
  if (to !== null) {
    const secrets = valuesOf("env");
    return `sends to ${to.replace(/:443$/, "")}${secrets === "" ? "" : ` with ${secrets}`} (${who})`;
  }
  const values = valuesOf(kind);
  if (kind === "read" && granted.every(({ purpose }) => purpose === shownToSkills))
    return `shows ${values} to every skill`;
  if (kind === "read") return `reads ${values} (${who})`;
  if (kind === "program") return `runs ${values} outside the sandbox (${who})`;
  return `passes ${values} to ${subject === null ? "every skill" : who}`;
}

const shownToSkills = "shown to skills, read-only";

/** What it means that a path is granted which no file asks for. */
export function showToSkills(path: string): Ask {
  const nobody = { subject: null, asker: null, to: null, file: path, steps: [] };
  return { ...nobody, kind: "read", value: path, purpose: shownToSkills };
}

/** Whether a file asks for it: the only other grant is a folder shown to skills. */
export function isAskedFor({ kind, purpose }: Pick<GrantedAsk, "kind" | "purpose">): boolean {
  return kind === "read" && purpose !== shownToSkills;
}

/** Grants nothing, as for a project that nobody has looked at. */
export const noPermissions: Permissions = {
  isGranted: () => false,
  missing: (asks) => [...asks],
  expect: () => {},
  require(asks) {
    if (asks.length === 0) return;
    const flags = [...new Set(asks.map(askText))];
    const message = `files ask for what was not granted: ${flags.join(", ")}`;
    throw new GrantMissing(message, asks, { path: asks[0]?.file, hint: "grant it with the option grants" });
  },
  readable: () => [],
  granted: () => [],
};
