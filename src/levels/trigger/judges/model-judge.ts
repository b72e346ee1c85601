import type { Judge } from "../../../contract/judge.ts";
import { type Asking, askModel, parameters, type Reading } from "./ask-model.ts";
import { cardPrompt, cardPromptVersion } from "./card-prompt.ts";
import { lenientDecision } from "./lenient-decision.ts";
import { readDecision } from "./read-decision.ts";

/** Asks a model about one skill and one request, by the skill's card. */
export function modelJudge(asking: Asking): Judge {
  const { model, reask } = asking;
  return {
    kind: "model",
    model: model.id,
    prompt: cardPromptVersion,
    label: "model",
    isDeterministic: false,
    isPaid: true,
    identity: { kind: "model", prompt: cardPromptVersion, model: model.identity, parameters, reask },
    judge: (question, signal) =>
      askModel({ prompt: cardPrompt(question), repeat: question.repeat }, read, asking, signal),
  };
}

function read(reply: string): Reading {
  const decision = readDecision(reply);
  return decision.ok ? decision : { ...decision, lenientDecision: lenientDecision(reply) };
}
