import { join } from "node:path";
import type { HostedTool } from "../contract/tool-host.ts";
import type { JsonSchema } from "../shared/json/json.ts";
import { UserError } from "../shared/user-error.ts";
import { argumentsCheck, type CheckArguments } from "./tool-arguments.ts";

/** More schemas than these are not kept: the one that came first is compiled again. */
const maxKept = 1000;

/** Gives the check of what a tool is called with, compiled once for each schema. A schema that cannot be is for the user to fix. */
export function argumentChecks(): (tool: HostedTool) => CheckArguments {
  /** The same object is the same schema; a skill that was read anew has another object of the same text. */
  const byObject = new WeakMap<object, CheckArguments>();
  const byText = new Map<string, CheckArguments>();

  function checkOf(tool: HostedTool): CheckArguments {
    const { parameters } = tool;
    const text = JSON.stringify(parameters);
    const check = byText.get(text) ?? compile(tool, parameters);
    byText.set(text, check);
    const [first] = byText.keys();
    if (byText.size > maxKept && first !== undefined) byText.delete(first);
    return check;
  }

  return (tool) => {
    const { parameters } = tool;
    if (typeof parameters !== "object" || parameters === null) return checkOf(tool);
    const check = byObject.get(parameters) ?? checkOf(tool);
    byObject.set(parameters, check);
    return check;
  };
}

function compile({ skill, name }: HostedTool, parameters: JsonSchema | null): CheckArguments {
  const made = argumentsCheck(parameters);
  if (made.ok) return made.check;
  throw new UserError(
    "skill-invalid",
    `${skill.id}#${name}: its parameters are not a valid JSON Schema: ${made.problem}`,
    { path: join(skill.dir, "skill.json"), jsonPath: "$.tools" },
  );
}
