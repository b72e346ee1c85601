import { type Ask, askEnv, askHost, isOwnService } from "../../../contract/grant.ts";
import type { LoadedBench } from "../../../contract/planbench-file.ts";
import { headerVariable } from "./fill-headers.ts";

/**
 * What a bench asks for: the address of its service, and the variables in headers. A service on this machine that gets
 * the usual body and no headers needs no grant, unless nothing may leave (`isClosed`).
 */
export function benchAsks({ file: { id, target }, path }: LoadedBench, isClosed: boolean): Ask[] {
  if (target.type !== "sse") return [];
  const place = { subject: id, file: path };
  const headers = Object.entries(target.headers);
  const variables = headers.flatMap(([header, value]) =>
    [...value.matchAll(headerVariable)].map(([, name = ""]) =>
      askEnv(name, {
        ...place,
        steps: ["target", "headers", header],
        purpose: `sent to ${target.url} in the header ${header}`,
      }),
    ),
  );
  const isUsual = isOwnService(target.url) && headers.length === 0 && target.body === undefined;
  if (isUsual && !isClosed) return [];
  const steps = ["target", "url"];
  return [
    ...variables,
    askHost(target.url, { ...place, steps, purpose: `receives requests at ${target.url}` }),
  ];
}
