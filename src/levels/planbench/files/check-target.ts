import type { ProblemReporter } from "../../../cases/files/raw-case.ts";
import { type BenchTarget, templateNames } from "../../../contract/planbench-file.ts";
import type { Json } from "../../../shared/json/json.ts";
import { webAddress } from "../../../shared/network/http.ts";
import { nearest } from "../../../shared/text/nearest.ts";
import { headerVariable, isHeaderValue } from "./fill-headers.ts";

/** Refuses a service that cannot be called, and secrets in the file. */
export function checkTarget(target: BenchTarget, report: ProblemReporter): void {
  if (target.type !== "sse") return;
  const url = webAddress(target.url);
  if (url === null) throw report.fault(["target", "url"], "must be an absolute http or https URL");
  if (url.username !== "" || url.password !== "")
    throw report.fault(["target", "url"], "contains a user name or password", secretHint);
  for (const [name, value] of Object.entries(target.headers)) checkHeader(name, value, report);
  checkBody(target.body ?? null, ["target", "body"], report);
}

/** Unknown placeholders are sent as is: a misspelt name would be measured as a bad plan. */
function checkBody(value: Json, at: readonly PropertyKey[], report: ProblemReporter): void {
  if (typeof value === "object" && value !== null) {
    const members = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [step, member] of members) checkBody(member, [...at, step], report);
  }
  if (typeof value !== "string") return;
  for (const [text, name = ""] of value.matchAll(/\$\{([\w:.-]{1,128})\}/g)) {
    if ((templateNames as readonly string[]).includes(name)) continue;
    if (name.startsWith("env:"))
      throw report.fault(at, "names an environment variable, which only headers may");
    const meant = nearest(name, templateNames);
    if (meant !== null) throw report.fault(at, `names ${text}`, `did you mean \${${meant}}?`);
    const { shown, jsonPath } = report.locate(at);
    report.warn(`${shown}: ${jsonPath} contains ${text}, which is not a known placeholder and is sent as is`);
  }
}

const secretHint = 'use a variable: headers: { Authorization: "Bearer ${env:PLAN_TOKEN}" }';

function checkHeader(name: string, value: string, report: ProblemReporter): void {
  const at = ["target", "headers", name];
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw report.fault(at, "is not a valid header name");
  if (ownHeaders.has(name.toLowerCase())) throw report.fault(at, "is set by eval-skills");
  if (!isHeaderValue(value)) throw report.fault(at, "contains a character that is invalid in a header");
  // Any other variable syntax would be sent as is.
  if (value.replace(headerVariable, "").includes("${env:"))
    throw report.fault(at, "uses another syntax for a variable", secretHint);
  if (isSecretName(name) && value.search(headerVariable) === -1)
    throw report.fault(at, "would put a secret into the file", secretHint);
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
