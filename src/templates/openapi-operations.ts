import type { Json, JsonObject } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";
import { webAddress } from "../shared/network/http.ts";
import { didYouMean } from "../shared/text/nearest.ts";
import type { OpenapiDocument } from "./openapi-document.ts";

/** An operation that a skill can be made of. */
export interface Operation {
  id: string;
  /** What its author says it does, the shortest first: summary, description, title of the file. */
  about: readonly string[];
  method: "POST";
  /** Where it is called: server and path. */
  url: URL;
  /** The media type object of its JSON body. */
  body: JsonObject;
  /** The schema of its first JSON answer that means success. */
  answer: Json | undefined;
  jsonPath: string;
}

/** The requested operation, or the only one there is. */
export function chooseOperation(document: OpenapiDocument, wanted: string | undefined): Operation {
  const all = listOperations(document);
  if (wanted === undefined) return onlyOperation(document, all);
  const found = all.filter(({ id }) => id === wanted);
  const [first] = found;
  if (first === undefined)
    throw document.refusal(
      `has no operation ${wanted}`,
      "$.paths",
      didYouMean(wanted, all.length === 0 ? ["none"] : all.map(({ id }) => id)),
    );
  if (found.length > 1)
    throw document.refusal(`has the operation ${wanted} ${found.length} times`, "$.paths");
  return readOperation(document, first);
}

interface Candidate {
  id: string;
  method: string;
  path: string;
  item: JsonObject;
  operation: JsonObject;
  jsonPath: string;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

function listOperations(document: OpenapiDocument): Candidate[] {
  const { paths } = document.root;
  if (!isMap(paths)) throw document.refusal("has no paths", "$.paths");
  return Object.entries(paths).flatMap(([path, value]) => {
    const item = path.startsWith("/") ? document.follow(value) : null;
    return item === null ? [] : methods.flatMap((method) => candidate(path, item, method));
  });
}

function candidate(path: string, item: JsonObject, method: string): Candidate[] {
  const operation = item[method];
  if (!isMap(operation)) return [];
  const name = `${method.toUpperCase()} ${path}`;
  const id = typeof operation.operationId === "string" ? operation.operationId : name;
  const jsonPath = `$.paths[${JSON.stringify(path)}].${method}`;
  return [{ id, method: method.toUpperCase(), path, item, operation, jsonPath }];
}

function onlyOperation(document: OpenapiDocument, all: readonly Candidate[]): Operation {
  const usable = all.filter((one) => whyNot(document, one) === null);
  const [first] = usable;
  if (first !== undefined && usable.length === 1) return readOperation(document, first);
  if (first !== undefined)
    throw document.refusal(
      `has ${usable.length} operations to choose from`,
      "$.paths",
      `choose one with --operation: ${usable.map(({ id }) => id).join(", ")}`,
    );
  const reasons = all.slice(0, 10).map((one) => `${one.id}: ${whyNot(document, one)}`);
  throw document.refusal(
    "has no operation that can become a skill",
    "$.paths",
    ["a POST operation with a JSON body is required", ...reasons].join("\n  "),
  );
}

function readOperation(document: OpenapiDocument, one: Candidate): Operation {
  const reason = whyNot(document, one);
  if (reason !== null)
    throw document.refusal(
      `has the operation ${one.id}, which cannot become a skill: ${reason}`,
      one.jsonPath,
    );
  const { id, operation, jsonPath } = one;
  return {
    id,
    about: [operation.summary, operation.description, document.follow(document.root.info)?.title].filter(
      (text) => typeof text === "string",
    ),
    method: "POST",
    url: serverUrl(document, one) as URL,
    body: jsonBody(document, operation) as JsonObject,
    answer: answerSchema(document, operation),
    jsonPath,
  };
}

/** Why this one cannot be called with one JSON value by POST; null where it can. */
function whyNot(document: OpenapiDocument, one: Candidate): string | null {
  if (one.method !== "POST") return `it is a ${one.method}, only POST is supported`;
  if (/[{}]/.test(one.path)) return `its path ${one.path} has parameters`;
  const parameter = requiredParameter(document, one);
  if (parameter !== null) return `it requires the ${parameter}`;
  if (jsonBody(document, one.operation) === null) return "it takes no JSON body";
  const url = serverUrl(document, one);
  return typeof url === "string" ? url : null;
}

function requiredParameter(document: OpenapiDocument, { item, operation }: Candidate): string | null {
  const listed = [item.parameters, operation.parameters].flatMap((list) => (Array.isArray(list) ? list : []));
  const required = listed
    .map((value) => document.follow(value))
    .find((parameter) => parameter?.required === true);
  return required ? `${String(required.in)} parameter ${String(required.name)}` : null;
}

function jsonBody(document: OpenapiDocument, operation: JsonObject): JsonObject | null {
  const content = document.follow(document.follow(operation.requestBody)?.content);
  return content === null
    ? null
    : findMedia(document, content, [/^application\/json\b/i, /^application\/\*/, /^\*\/\*/]);
}

function answerSchema(document: OpenapiDocument, operation: JsonObject): Json | undefined {
  const responses = document.follow(operation.responses) ?? {};
  const good = Object.keys(responses).filter((status) => /^2(?:\d\d|XX)$/i.test(status));
  for (const status of good.sort()) {
    const content = document.follow(document.follow(responses[status])?.content);
    const media =
      content && findMedia(document, content, [/^application\/json\b/i, /^application\/\S*\+json\b/i]);
    if (media?.schema !== undefined) return media.schema;
  }
  return undefined;
}

function findMedia(
  document: OpenapiDocument,
  content: JsonObject,
  types: readonly RegExp[],
): JsonObject | null {
  for (const type of types) {
    const name = Object.keys(content).find((key) => type.test(key));
    if (name !== undefined) return document.follow(content[name]);
  }
  return null;
}

/** The URL of the operation, or why it is unknown. The nearest list of servers counts, its first entry. */
function serverUrl(document: OpenapiDocument, { path, item, operation }: Candidate): URL | string {
  const servers = [operation.servers, item.servers, document.root.servers].find(
    (list) => Array.isArray(list) && list.length > 0,
  ) as Json[] | undefined;
  const server = document.follow(servers?.[0]);
  if (server === null || typeof server.url !== "string") return "no server; add `servers` with a URL";
  if (/[{}]/.test(server.url)) return `its server ${server.url} has variables; write the URL out`;
  const base = webAddress(server.url);
  if (base === null) return `its server ${server.url} is not an absolute http or https URL`;
  if (base.search !== "" || base.hash !== "" || base.username !== "" || base.password !== "")
    return `its server ${server.url} must be only a host and a path`;
  return webAddress(`${base.href.replace(/\/$/, "")}${path}`) ?? `its path ${path} does not give a valid URL`;
}
