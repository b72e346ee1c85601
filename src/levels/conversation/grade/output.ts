import type { CheckResult } from "../../../cases/grade/dimension.ts";
import { checkText } from "../../../cases/grade/expected-text.ts";
import { findOutputSchema } from "../../../config/schemas/find-output-schema.ts";
import type { OutputContract } from "../../../contract/output-contract.ts";
import type { DescribedSkill } from "../../../contract/skill.ts";
import { compileContract } from "../../../scorers/output-contract.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { type ConversationView, check } from "./conversation-view.ts";

/** Whether the final reply meets the contract of its skills and what the case asks for. */
export async function checkOutput(view: ConversationView): Promise<CheckResult[]> {
  const { output } = view.expect;
  if (output === undefined) return [];
  const { final, silence, loaded } = view;
  if (final === null) return [check("output", { unseen: silence ?? "there is no final reply" })];
  const ofContract = output.contract ? [checkContract(view, final)] : [];
  return [...ofContract, ...(await checkText({ ...loaded, output }, final))];
}

function checkContract({ contract }: ConversationView, final: string): CheckResult {
  const name = "contract";
  const isEmpty =
    contract === null ||
    (contract.markers.length === 0 && contract.maxChars === null && contract.schemas.length === 0);
  if (isEmpty) return check(name, { unseen: "no skill of the conversation declares an output contract" });
  const compiled = compileContract(contract);
  if (!compiled.ok) return check(name, { unseen: compiled.problem });
  const lines = compiled
    .check(final)
    .map(({ pointer, reason }) => shownText(`${pointer} ${reason}`.trim(), 300));
  if (lines.length === 0) return check(name, {});
  const message = `the output breaks its contract: ${lines.slice(0, 3).join("; ")}`;
  const expected = {
    markers: [...contract.markers],
    max_chars: contract.maxChars,
    schemas: contract.schemas.map((schema) => schema.name),
  };
  return check(name, { faults: [{ code: "OutputContract", message, expected, actual: lines }] });
}

type Promising = Pick<DescribedSkill, "dir" | "output">;

/** The output contract of the first of these skills that declares one; null where none does. */
export function promisedOutput(
  skills: readonly Promising[],
  { schemas, cwd }: { schemas: Readonly<Record<string, string>>; cwd: string },
): OutputContract | null {
  const first = skills.find(({ output }) => output !== null);
  if (first === undefined || first.output === null) return null;
  const { markers = [], max_chars, output_schema } = first.output;
  const locations = { given: schemas, skillDir: first.dir, cwd };
  const found = output_schema === undefined ? null : findOutputSchema(output_schema, locations);
  return {
    markers,
    maxChars: max_chars ?? null,
    schemas: found === null ? [] : [found],
  };
}
