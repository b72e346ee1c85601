import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { askEnv, askHost, askRead, isOwnService } from "../../../contract/asks.ts";
import type { Ask } from "../../../contract/grant.ts";
import type { LoadedBench } from "../../../contract/planbench-file.ts";
import { isSystemPath } from "../../../sandbox/host/system-folders.ts";
import { headerVariable } from "./fill-headers.ts";

/**
 * What a bench asks for: the address of its service, the variables in headers, and paths outside of the folders the user
 * works in. A service on this machine that gets the usual body and no headers needs no grant, unless nothing may leave.
 */
export function benchAsks(
  bench: LoadedBench,
  { isClosed, folders }: { isClosed: boolean; folders: readonly string[] },
): Ask[] {
  return [...serviceAsks(bench, isClosed), ...pathAsks(bench, folders)];
}

function pathAsks(
  { file, path, dir, schema, skillRoots, executor }: LoadedBench,
  folders: readonly string[],
) {
  const read = (named: string, member: string) =>
    askRead(named, folders, {
      subject: file.id,
      asker: "bench" as const,
      file: path,
      steps: member === "" ? [] : [member],
      purpose: member === "" ? "read as part of it" : `read for $.${member}`,
    });
  const words = (executor ?? []).filter((word) => word.includes("/") && !isSystemPath(resolve(dir, word)));
  return [
    ...read(path, ""),
    ...(schema.path === null ? [] : read(schema.path, "schema")),
    ...(skillRoots ?? []).flatMap((root) => read(root, "skill_roots")),
    ...words.flatMap((word) => (existsSync(resolve(dir, word)) ? read(resolve(dir, word), "executor") : [])),
  ];
}

function serviceAsks({ file: { id, target }, path }: LoadedBench, isClosed: boolean): Ask[] {
  if (target.type !== "sse") return [];
  const place = { subject: id, asker: "bench" as const, file: path };
  const headers = Object.entries(target.headers);
  const variables = headers.flatMap(([header, value]) =>
    [...value.matchAll(headerVariable)].map(([, name = ""]) =>
      askEnv(name, target.url, {
        ...place,
        steps: ["target", "headers", header],
        purpose: `sent to ${target.url} in the header ${header}`,
      }),
    ),
  );
  const isPlain = isOwnService(target.url) && headers.length === 0 && target.body === undefined;
  if (isPlain && !isClosed) return [];
  const steps = ["target", "url"];
  return [
    ...variables,
    askHost(target.url, { ...place, steps, purpose: `receives requests at ${target.url}` }),
  ];
}
