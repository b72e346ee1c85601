import { nearest } from "../../base/nearest.ts";
import { webAddress } from "../../base/web-address.ts";
import type { Json } from "../../contract/json.ts";
import { type BenchTarget, templateNames } from "../../contract/planbench-file.ts";
import type { Teller } from "../cases/raw-case.ts";
import { headerVariable, isHeaderValue } from "./fill-headers.ts";

/** Refuses a service that cannot be asked, and secrets that stand in the file. */
export function checkTarget(target: BenchTarget, tell: Teller): void {
  if (target.type !== "sse") return;
  const url = webAddress(target.url);
  if (url === null) throw tell.fault(["target", "url"], "must be an absolute http or https URL");
  if (url.username !== "" || url.password !== "")
    throw tell.fault(["target", "url"], "carries a user name or password", secretHint);
  for (const [name, value] of Object.entries(target.headers)) checkHeader(name, value, tell);
  checkBody(target.body ?? null, ["target", "body"], tell);
}

/** What nobody fills in is sent as it stands: a name that was misspelt would be measured as a bad plan. */
function checkBody(value: Json, at: readonly PropertyKey[], tell: Teller): void {
  if (typeof value === "object" && value !== null) {
    const members = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [step, member] of members) checkBody(member, [...at, step], tell);
  }
  if (typeof value !== "string") return;
  for (const [text, name = ""] of value.matchAll(/\$\{([\w:.-]{1,128})\}/g)) {
    if ((templateNames as readonly string[]).includes(name)) continue;
    if (name.startsWith("env:")) throw tell.fault(at, "names a variable, which only a header can");
    const meant = nearest(name, templateNames);
    if (meant !== null) throw tell.fault(at, `names ${text}`, `did you mean \${${meant}}?`);
    const { shown, jsonPath } = tell.placeOf(at);
    tell.warn(`${shown}: ${jsonPath} names ${text}, which is sent as it stands`);
  }
}

const secretHint = 'name a variable: headers: { Authorization: "Bearer ${env:PLAN_TOKEN}" }';

function checkHeader(name: string, value: string, tell: Teller): void {
  const at = ["target", "headers", name];
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw tell.fault(at, "is no name of a header");
  if (ownHeaders.has(name.toLowerCase())) throw tell.fault(at, "is said by eval-skills itself");
  if (!isHeaderValue(value)) throw tell.fault(at, "holds a character that a header cannot carry");
  // What is no variable of ours would be sent as it stands.
  if (value.replace(headerVariable, "").includes("${env:"))
    throw tell.fault(at, "names a variable in another way", secretHint);
  if (isSecretName(name) && value.search(headerVariable) === -1)
    throw tell.fault(at, "would hold a secret in the file", secretHint);
}

const ownHeaders: ReadonlySet<string> = new Set([
  "content-type",
  "content-length",
  "accept",
  "host",
  "connection",
  "transfer-encoding",
]);

function isSecretName(name: string): boolean {
  return /auth|cookie|token|secret|password|api[-_]?key/i.test(name);
}
