import { shownText } from "../../base/visible-text.ts";
import type { Look } from "../agent/dimension.ts";
import { lookAtText } from "../agent/expected-text.ts";
import { compileContract } from "../output-contract.ts";
import { type ConversationView, look } from "./conversation-view.ts";

/** Whether the final reply keeps what its skills promise, and is what the case asks for. */
export async function lookAtOutput(view: ConversationView): Promise<Look[]> {
  const { output } = view.expect;
  if (output === undefined) return [];
  const { final, silence, loaded } = view;
  if (final === null) return [look("output", { unseen: silence ?? "there is no final reply" })];
  const ofContract = output.contract ? [lookAtContract(view, final)] : [];
  return [...ofContract, ...(await lookAtText({ ...loaded, output }, final))];
}

function lookAtContract({ contract }: ConversationView, final: string): Look {
  const name = "contract";
  const isEmpty =
    contract === null ||
    (contract.markers.length === 0 && contract.maxChars === null && contract.schemas.length === 0);
  if (isEmpty) return look(name, { unseen: "no skill of the conversation promises anything of its output" });
  const compiled = compileContract(contract);
  if (!compiled.ok) return look(name, { unseen: compiled.problem });
  const lines = compiled
    .check(final)
    .map(({ pointer, reason }) => shownText(`${pointer} ${reason}`.trim(), 300));
  if (lines.length === 0) return look(name, {});
  const message = `the output breaks its contract: ${lines.slice(0, 3).join("; ")}`;
  const expected = {
    markers: [...contract.markers],
    max_chars: contract.maxChars,
    schemas: contract.schemas.map((schema) => schema.name),
  };
  return look(name, { faults: [{ code: "OutputContract", message, expected, actual: lines }] });
}
