import { fixedPort } from "../../../contract/suite-programs.ts";
import { isMap } from "../../../shared/json/json-values.ts";
import { isLoopbackHost, webAddress } from "../../../shared/network/http.ts";
import type { DocumentProblem } from "./check-located-document.ts";

/** What the schema of services cannot say: which of their members exclude each other, and that they stay on this machine. */
export function serviceProblems(services: unknown): DocumentProblem[] {
  if (!isMap(services)) return [];
  return Object.entries(services).flatMap(([name, service]) =>
    isMap(service) ? problemsOf(service, ["services", name]) : [],
  );
}

const readyKeys = ["readyUrl", "readyPort", "readyLine"];

function problemsOf(service: Record<string, unknown>, at: readonly PropertyKey[]): DocumentProblem[] {
  const { perRun, perCell, readyUrl, readyPort } = service;
  const problems: DocumentProblem[] = [];
  const add = (key: string, message: string, hint?: string) =>
    problems.push({ steps: [...at, key], message, hint });
  const [, second] = readyKeys.filter((key) => service[key] !== undefined);
  if (second !== undefined)
    add(second, `only one of ${readyKeys.join(", ")} can say when a service is ready`, "keep one of them");
  if (perRun === true && perCell === true)
    add("perCell", "perRun and perCell exclude each other", "keep one of them");
  const url = typeof readyUrl === "string" ? readyUrl : undefined;
  const address = url === undefined ? null : webAddress(url.replace(/\{\{\s*port\s*\}\}/g, "65535"));
  const isOwn =
    address !== null &&
    address.protocol === "http:" &&
    isLoopbackHost(address.hostname) &&
    Number(address.port) >= 1024;
  if (url !== undefined && !isOwn)
    add(
      "readyUrl",
      "readyUrl must be an http address of this machine with a port of 1024 or above",
      "write http://127.0.0.1:{{port}}/…",
    );
  const port = fixedPort({ readyUrl: url, readyPort: typeof readyPort === "number" ? readyPort : undefined });
  if (perCell === true && port !== null)
    add(
      "perCell",
      `cells that run at once cannot share port ${port}`,
      "let the service listen on the port in PORT, or {{port}}",
    );
  return problems;
}
