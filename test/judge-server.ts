import { httpServer, type LocalServer, readBody } from "./local-server.ts";
import { completion } from "./model-server.ts";
import { soundReply } from "./sound-judge.ts";

/** A local model that judges honestly: the score is the share of the numbers in the reference that the output has. */
export function judgeServer(): Promise<LocalServer> {
  return httpServer(async (request, response) => {
    const { messages } = JSON.parse(await readBody(request));
    const question: string = messages.at(-1).content;
    const sound = soundReply(question);
    const wanted = section(question, "reference").match(number) ?? [];
    const found = new Set(section(question, "output").match(number));
    const right = wanted.filter((one) => found.has(one)).length;
    const verdict = {
      score: wanted.length === 0 ? 0 : right / wanted.length,
      reason: `${right} facts are right`,
    };
    const usage = { prompt_tokens: 400, completion_tokens: 20, total_tokens: 420 };
    response.setHeader("content-type", "application/json");
    response.end(completion(sound ?? JSON.stringify(verdict), usage));
  });
}

const number = /\d[\d:]*/g;

function section(question: string, name: string): string {
  const [, text = ""] =
    new RegExp(`<<${name} (?:\\w+)>>\\n([\\s\\S]*?)\\n<<end of ${name} `).exec(question) ?? [];
  return text;
}
