import { contentTerms } from "../src/shared/text/content-terms.ts";
import { httpServer, type LocalServer, readBody } from "./local-server.ts";
import { completion } from "./model-server.ts";
import { soundDecision } from "./sound-judge.ts";

/** A local model that judges cards: it would load a skill whose description and triggers share two terms with the request. */
export function cardJudgeServer(): Promise<LocalServer> {
  return httpServer(async (request, response) => {
    const { messages } = JSON.parse(await readBody(request));
    const question: string = messages.at(-1).content;
    const sound = soundDecision(question);
    const card = between(question, "DESCRIPTION:", "NEGATIVE TRIGGERS");
    const query = between(question, "USER QUERY:", "[[end");
    const cardTerms = contentTerms(card);
    const shared = [...contentTerms(query)].filter((term) => cardTerms.has(term));
    const decision = shared.length >= 2 ? "YES" : "NO";
    const usage = { prompt_tokens: 200, completion_tokens: 12, total_tokens: 212 };
    response.setHeader("content-type", "application/json");
    const reply = sound ?? `DECISION=${decision} REASON=It shares ${shared.length} terms.`;
    response.end(completion(reply, usage));
  });
}

function between(text: string, start: string, end: string): string {
  const from = text.lastIndexOf(start) + start.length;
  return text.slice(from, text.indexOf(end, from));
}
