import { webAddress } from "../../base/web-address.ts";
import type { BenchTarget } from "../../contract/planbench-file.ts";
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
