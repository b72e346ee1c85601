import * as z from "zod";
import { isLoopbackHost, webAddress } from "../shared/network/http.ts";
import { UserError } from "../shared/user-error.ts";

/** What a person can grant: a secret, an address, a program outside the sandbox, a folder outside the project. */
export const grantKinds = ["env", "host", "program", "read"] as const;
export type GrantKind = (typeof grantKinds)[number];

/** Something a file of the working tree asks for and only a person may grant. */
export interface Ask {
  kind: GrantKind;
  /** `env`: the name of the variable. `host`: `host:port`. `program`: its name. `read`: an absolute path. */
  value: string;
  /** The skill, suite or case that asks; null for the configuration of the project. */
  subject: string | null;
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
  purpose: z.string(),
  by: z.enum(["flag", "user file", "trust"]),
});
export type GrantedAsk = z.infer<typeof GrantedAsk>;

/** What the user allows files to have. */
export interface Permissions {
  isGranted(ask: Ask): boolean;
  /** Those that nobody granted. */
  missing(asks: readonly Ask[]): Ask[];
  /** Throws one error that names everything missing, its file and line, and the command that grants it. */
  require(asks: readonly Ask[]): void;
  /** What was required and granted so far, each once. */
  granted(): readonly GrantedAsk[];
}

/** How an ask is written as a grant that covers it: `env:OPENWEATHER_KEY@weather`. */
export function askText({ kind, value, subject }: Pick<Ask, "kind" | "value" | "subject">): string {
  return `${kind}:${value}${subject !== null && kind === "env" ? `@${subject}` : ""}`;
}

/** What was granted, as one line: `env:TOKEN (weather): sent to https://api.example.com as a bearer token`. */
export function describeGranted({ kind, value, subject, purpose }: GrantedAsk): string {
  return `${kind}:${value}${subject === null ? "" : ` (${subject})`}: ${purpose}`;
}

/** Grants nothing, as for a project that nobody has looked at. */
export const noPermissions: Permissions = {
  isGranted: () => false,
  missing: (asks) => [...asks],
  require(asks) {
    if (asks.length === 0) return;
    const flags = [...new Set(asks.map(askText))];
    throw new UserError("grant-missing", `files ask for what nobody granted: ${flags.join(", ")}`, {
      path: asks[0]?.file,
      hint: "grant it with the option grants",
    });
  },
  granted: () => [],
};

/** The file and the member of it that ask, and for whom. */
export type AskPlace = Pick<Ask, "subject" | "file" | "steps" | "purpose">;

/** Asks to send something to the host of an address. */
export function askHost(url: string, place: AskPlace): Ask {
  return { ...place, kind: "host", value: hostOf(url) };
}

/** Asks for the value of an environment variable. */
export function askEnv(name: string, place: AskPlace): Ask {
  return { ...place, kind: "env", value: name };
}

/** `host:port` of an address; the text itself where it is none, so that no grant fits it. */
function hostOf(text: string): string {
  const url = webAddress(text);
  if (url === null) return text;
  return `${url.hostname}:${url.port === "" ? (url.protocol === "https:" ? 443 : 80) : url.port}`;
}

/** Whether an address is a service on this machine that any user may run: a loopback address and no system port. */
export function isOwnService(text: string): boolean {
  const url = webAddress(text);
  return url !== null && Number(url.port) >= 1024 && isLoopbackHost(url.hostname);
}
