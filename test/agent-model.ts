import { bodyOf, httpServer } from "./local-server.ts";

/** What an agent asks a model. */
export interface AskedModel {
  /** The model as the request names it. */
  model: string;
  /** Everything it was sent, as one text. */
  prompt: string;
  /** Of the run. */
  turn: number;
}

/** A decision, any text, or the status of a refusal. */
type Said = object | string | number;

/** A local server that speaks the protocol of OpenAI, streamed, and says to an agent what it is told to. */
export async function agentModel(reply: (asked: AskedModel) => Said) {
  const asked: AskedModel[] = [];
  const server = await httpServer(async (request, response) => {
    const { model, messages } = JSON.parse(await bodyOf(request));
    const prompt = messages.map(({ content }: { content: string }) => content).join("\n");
    const question = { model, prompt, turn: Number(/RUN STATE at turn (\d+)/.exec(prompt)?.[1]) };
    asked.push(question);
    const said = reply(question);
    if (typeof said === "number") {
      // Nobody waits in a test.
      response.writeHead(said, { "content-type": "application/json", "retry-after": "0" });
      response.end('{"error":{"message":"no"}}');
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const text = typeof said === "string" ? said : JSON.stringify(said);
    for (const content of text.match(/[\s\S]{1,9}/gu) ?? [])
      response.write(event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }));
    response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }));
    response.write(
      event({ choices: [], usage: { prompt_tokens: 200, completion_tokens: 10, total_tokens: 210 } }),
    );
    response.end("data: [DONE]\n\n");
  });
  return {
    asked,
    url: server.url,
    /** A configuration in which the server is the provider `lab`. */
    config: {
      models: { lab: { baseUrl: server.url, apiKeyEnv: "LAB_KEY" } },
      prices: {
        "lab/small": { inputPerMTok: 1, outputPerMTok: 5 },
        "lab/large": { inputPerMTok: 1, outputPerMTok: 5 },
      },
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The key that the server is asked with. */
export const labKey = { LAB_KEY: "key-of-the-lab-0123456789" };

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
