import type { Client, Tool } from "@modelcontextprotocol/client";
import { canonicalJson, sha256 } from "../shared/json/canonical-json.ts";
import { listed } from "../shared/text/phrases.ts";
import { isNestedDeeper } from "./answers.ts";
import { noTimeout } from "./mcp-client.ts";

/** The tools of a server by name, and a hash over their descriptions. */
export interface ToolList {
  tools: ReadonlyMap<string, Tool>;
  hash: string;
}

/** A server whose list of tools is endless or malformed. */
class UnusableToolList extends Error {}

const maxPages = 64;
const maxTools = 10_000;

/** Asks for the tools, page by page. */
export async function listTools(client: Client): Promise<ToolList> {
  const tools = new Map<string, Tool>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const params = cursor === undefined ? undefined : { cursor };
    const result = await client.request({ method: "tools/list", ...(params && { params }) }, noTimeout);
    if (isNestedDeeper(result)) throw new UnusableToolList("the list of tools is nested too deeply");
    for (const tool of result.tools) tools.set(tool.name, tool);
    if (tools.size > maxTools) break;
    cursor = result.nextCursor;
    if (cursor === undefined) return { tools, hash: hashTools(tools) };
  }
  throw new UnusableToolList(`the list of tools is longer than ${maxPages} pages or ${maxTools} tools`);
}

/** The first list of tools: later ones are compared with it, so that a swapped tool is noticed. */
export class ToolPin {
  #first: ToolList | null = null;

  /** Describes what differs from the first list; null if nothing does. */
  compare(list: ToolList): string | null {
    this.#first ??= list;
    const first = this.#first;
    if (list.hash === first.hash) return null;
    const names = new Set([...first.tools.keys(), ...list.tools.keys()]);
    const changes = [...names].sort().flatMap((name) => {
      const [before, after] = [first.tools.get(name), list.tools.get(name)];
      if (before === undefined) return [`${name} is new`];
      if (after === undefined) return [`${name} is gone`];
      return canonicalJson(before) === canonicalJson(after) ? [] : [`${name} differs`];
    });
    return `the tools changed since they were first listed: ${listed(changes, 10)} (${first.hash} became ${list.hash})`;
  }
}

function hashTools(tools: ReadonlyMap<string, Tool>): string {
  return sha256(canonicalJson(Object.fromEntries(tools)));
}
