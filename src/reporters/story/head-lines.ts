import type { EventData } from "../../contract/agent-event.ts";
import { counted, grouped, milliseconds, usd } from "../format-numbers.ts";
import type { StoryPage } from "./story-page.ts";

const linesOfRequest = 12;
const namedSkills = 20;

/** What a run set out to do, and under which conditions. */
export function headLines(
  runId: string,
  ts: string,
  data: EventData<"run_started">,
  request: string | null,
  page: StoryPage,
): string[] {
  const { model, limits, isolation, origin, policy, recording, streaming, invoked = [] } = data;
  const named = [model.provider, model.name].filter((word) => word !== null);
  const name = [...new Set(named)].join("/");
  return [
    page.rule(`Run ${runId}`, ts.replace("T", " ").replace(/\.\d+Z$/, " UTC")),
    ...(request === null ? [] : ["", ...page.quoted(request, { most: linesOfRequest }), ""]),
    ...page.fact("model", `${name === "" ? "not known" : name}${streaming ? ", streamed" : ""}`),
    ...(limits === null ? [] : page.fact("limits", limitWords(limits))),
    ...(isolation === null ? [] : page.fact("isolation", isolationWords(isolation))),
    ...(policy === null ? [] : page.fact("tools", toolWords(policy))),
    ...(invoked.length === 0 ? [] : page.fact("named", `${invoked.join(", ")}, by the user`)),
    ...(recording === "full" ? [] : page.fact("recording", recording)),
    ...(origin.kind === "native" ? [] : originLines(origin, page)),
  ];
}

/** The skills a model could choose among. */
export function indexLines(data: EventData<"skills_indexed">, page: StoryPage): string[] {
  const shown = data.skills.slice(0, namedSkills).map(({ name, source, invocable }) => {
    const notes = [source ?? "", invocable === false ? "not for the model" : ""].filter(
      (note) => note !== "",
    );
    return notes.length === 0 ? name : `${name} (${notes.join(", ")})`;
  });
  const more = data.skills.length - shown.length;
  const words = more > 0 ? [...shown, `and ${more} more`] : shown;
  return [
    ...page.fact("skills", words.length === 0 ? "none" : words.join(", ")),
    ...data.preinstalled.flatMap(({ name, digest, origin_digest }) =>
      page.fact(
        "",
        `${name} was installed, ${digest === origin_digest ? "unchanged" : "but is not what it was made of"}`,
      ),
    ),
    ...data.conflicts.flatMap(({ name, winner, losers, rule }) =>
      page.fact("", `${name}: ${winner} hides ${losers.join(", ")} (${rule})`),
    ),
    ...data.ignored.flatMap(({ path, reason }) => page.fact("", `left out ${path}: ${reason}`)),
  ];
}

function limitWords(limits: NonNullable<EventData<"run_started">["limits"]>): string {
  const { max_turns, max_tool_calls, max_script_runs, max_resource_loads, max_model_calls } = limits;
  const parts = [
    max_turns === null ? "" : counted(max_turns, "turn"),
    max_tool_calls === null ? "" : counted(max_tool_calls, "tool call"),
    max_script_runs === null ? "" : counted(max_script_runs, "script"),
    max_resource_loads === null ? "" : counted(max_resource_loads, "resource"),
    max_model_calls === null ? "" : counted(max_model_calls, "model call"),
    limits.max_context_chars === null ? "" : `${grouped(limits.max_context_chars)} characters a request`,
    limits.timeout_ms === null ? "" : milliseconds(limits.timeout_ms),
    limits.max_cost_usd === null ? "" : usd(limits.max_cost_usd),
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function isolationWords(isolation: NonNullable<EventData<"run_started">["isolation"]>): string {
  const { level, backend, network, unproven } = isolation;
  const by = backend === null ? "" : ` by ${backend}`;
  const open = unproven.length === 0 ? "" : `; not proven: ${unproven.join(", ")}`;
  return `${level}${by}, network ${typeof network === "string" ? network : JSON.stringify(network)}${open}`;
}

function toolWords(policy: NonNullable<EventData<"run_started">["policy"]>): string {
  const { allowed_tools, deny_tools, allowed_tools_policy } = policy;
  const allowed = allowed_tools.length === 0 ? "none" : allowed_tools.join(", ");
  const denied = deny_tools.length === 0 ? "" : `; denied: ${deny_tools.join(", ")}`;
  return `${allowed}${denied}${allowed_tools_policy === "restrict" ? "; skills restrict them" : ""}`;
}

function originLines(origin: EventData<"run_started">["origin"], page: StoryPage): string[] {
  return [
    ...page.fact(
      "imported",
      `from ${origin.kind}; it tells ${(origin.observed ?? []).join(", ") || "nothing"}`,
    ),
    ...(origin.unknown === undefined || origin.unknown.length === 0
      ? []
      : page.fact("not known", origin.unknown.join(", "))),
  ];
}
