import type { Scorer } from "../contract/scorer.ts";
import { callErrorCodes, type ToolEnvelope } from "../contract/tool-result.ts";
import { didYouMean } from "../shared/text/nearest.ts";
import { shortenWords } from "../shared/text/visible-text.ts";
import { invalid, type ScorerRequest, vacuous } from "./scorer-request.ts";

/** Passes a call of a tool that ended in the expected error. It scores the error as a model would see it. */
export function toolError(request: ScorerRequest): Scorer {
  const { code, contains } = readExpectation(request);
  const wanted = contains === undefined ? code : `${code} with ${JSON.stringify(contains)}`;

  return {
    type: "tool_error",
    identity: { type: "tool_error", code, ...(contains !== undefined && { contains }) },
    score({ output }) {
      const problem = problemWith(output as ToolEnvelope, code, contains);
      if (problem === null) return { score: 1, passed: true, reason: null };
      return {
        score: 0,
        passed: false,
        reason: shortenWords(`expected the error ${wanted}; ${problem}`, 400),
      };
    },
  };
}

/** Why this is not the expected error; null if it is. */
function problemWith(envelope: ToolEnvelope, code: string, contains = ""): string | null {
  if ("result" in envelope) return "the call succeeded";
  const { message } = envelope.error;
  const isMeant = message.startsWith(`${code}: `) && message.slice(code.length + 2).includes(contains);
  return isMeant ? null : `got ${message}`;
}

function readExpectation(request: ScorerRequest): { code: string; contains: string | undefined } {
  const { code = "", contains } = request.task.expectedOutput;
  if (code === "")
    throw vacuous(
      request,
      ".expectedOutput.code",
      `tool_error needs the code it expects: one of ${callErrorCodes.join(", ")}`,
    );
  if (contains === "")
    throw vacuous(request, ".expectedOutput.contains", "an empty text matches any message");
  const { adapters = [] } = request;
  if (adapters.length === 0 || adapters.some((adapter) => adapter !== "tool"))
    throw invalid(request, "", "tool_error needs the adapter `tool`", "name tools as <skill>#<tool>");
  if (!(callErrorCodes as readonly string[]).includes(code))
    throw invalid(
      request,
      ".expectedOutput.code",
      `a tool call never fails with ${JSON.stringify(code)}`,
      didYouMean(code, callErrorCodes),
    );
  return { code, contains };
}
