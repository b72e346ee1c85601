import type { EventData } from "../../contract/agent-event.ts";
import { counted, grouped, milliseconds, usd } from "../text/format-numbers.ts";

type Started = EventData<"run_started">;
/** A name, and what belongs to it. An empty name goes on with the one before. */
export type Named = readonly [name: string, words: string];

const namedSkills = 20;

/** The conditions a run started with. */
export function runConditions(data: Started): Named[] {
  const { model, limits, isolation, origin, policy, recording, streaming, invoked = [] } = data;
  const name = [...new Set([model.provider, model.name].filter((word) => word !== null))].join("/");
  return [
    ["model", `${name === "" ? "unknown" : name}${streaming ? ", streamed" : ""}`],
    ...(limits === null ? [] : [["limits", limitWords(limits)] as const]),
    ...(isolation === null ? [] : [["isolation", isolationWords(isolation)] as const]),
    ...(policy === null ? [] : [["tools", toolWords(policy)] as const]),
    ...(invoked.length === 0 ? [] : [["invoked", `${invoked.join(", ")} (by the user)`] as const]),
    ...(recording === "full" ? [] : [["recording", recording] as const]),
    ...(origin.kind === "native" ? [] : originWords(origin)),
  ];
}

/** The skills a model could choose among. */
export function indexedSkills({
  skills,
  preinstalled,
  conflicts,
  ignored,
}: EventData<"skills_indexed">): Named[] {
  const shown = skills.slice(0, namedSkills).map(({ name, source, invocable }) => {
    const notes = [source ?? "", invocable === false ? "user-invoked only" : ""].filter(
      (note) => note !== "",
    );
    return notes.length === 0 ? name : `${name} (${notes.join(", ")})`;
  });
  const more = skills.length - shown.length;
  const words = more > 0 ? [...shown, `and ${more} more`] : shown;
  return [
    ["skills", words.length === 0 ? "none" : words.join(", ")],
    ...preinstalled.map(({ name, digest, origin_digest }): Named => {
      const state = digest === origin_digest ? "unchanged" : "differs from its origin";
      return ["", `${name} preinstalled, ${state}`];
    }),
    ...conflicts.map(
      ({ name, winner, losers, rule }): Named => [
        "",
        `${name}: ${winner} shadows ${losers.join(", ")} (${rule})`,
      ],
    ),
    ...ignored.map(({ path, reason }): Named => ["", `ignored ${path}: ${reason}`]),
  ];
}

function limitWords(limits: NonNullable<Started["limits"]>): string {
  const { max_turns, max_tool_calls, max_script_runs, max_resource_loads, max_model_calls } = limits;
  const parts = [
    max_turns === null ? "" : counted(max_turns, "turn"),
    max_tool_calls === null ? "" : counted(max_tool_calls, "tool call"),
    max_script_runs === null ? "" : counted(max_script_runs, "script"),
    max_resource_loads === null ? "" : counted(max_resource_loads, "resource"),
    max_model_calls === null ? "" : counted(max_model_calls, "model call"),
    limits.max_context_chars === null ? "" : `${grouped(limits.max_context_chars)} characters per request`,
    limits.timeout_ms === null ? "" : milliseconds(limits.timeout_ms),
    limits.max_cost_usd === null ? "" : usd(limits.max_cost_usd),
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function isolationWords({ level, backend, network, unproven }: NonNullable<Started["isolation"]>): string {
  const by = backend === null ? "" : ` by ${backend}`;
  const open = unproven.length === 0 ? "" : `; not proven: ${unproven.join(", ")}`;
  return `${level}${by}, network ${typeof network === "string" ? network : JSON.stringify(network)}${open}`;
}

function toolWords({
  allowed_tools,
  deny_tools,
  allowed_tools_policy,
}: NonNullable<Started["policy"]>): string {
  const allowed = allowed_tools.length === 0 ? "none" : allowed_tools.join(", ");
  const denied = deny_tools.length === 0 ? "" : `; denied: ${deny_tools.join(", ")}`;
  return `${allowed}${denied}${allowed_tools_policy === "restrict" ? "; restricted by skills" : ""}`;
}

function originWords({ kind, observed = [], unknown = [] }: Started["origin"]): Named[] {
  const words = unknown.filter((one) => typeof one === "string");
  const items = unknown.length - words.length;
  return [
    ["imported", `from ${kind}; records ${observed.join(", ") || "nothing"}`],
    ...(words.length === 0 ? [] : [["unknown", words.join(", ")] as const]),
    ...(items === 0 ? [] : [["", `${counted(items, "item")} of the transcript not understood`] as const]),
  ];
}
