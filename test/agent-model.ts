import { httpServer, readBody } from "./local-server.ts";

/** A request of an agent to a model. */
export interface ModelRequest {
  /** The model as the request names it. */
  model: string;
  /** Everything it was sent, as one text. */
  prompt: string;
  /** Of the run. */
  turn: number;
}

/** A decision, any text, or the status of a refusal. */
type ModelReply = object | string | number;

/** A local server that speaks the protocol of OpenAI, streamed, and answers with the given replies. */
export async function agentModel(reply: (request: ModelRequest) => ModelReply) {
  const requests: ModelRequest[] = [];
  const server = await httpServer(async (request, response) => {
    const { model, messages } = JSON.parse(await readBody(request));
    const prompt = messages.map(({ content }: { content: string }) => content).join("\n");
    const question = { model, prompt, turn: Number(/RUN STATE at turn (\d+)/.exec(prompt)?.[1]) };
    requests.push(question);
    const answer = reply(question);
    if (typeof answer === "number") {
      // Nobody waits in a test.
      response.writeHead(answer, { "content-type": "application/json", "retry-after": "0" });
      response.end('{"error":{"message":"no"}}');
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const text = typeof answer === "string" ? answer : JSON.stringify(answer);
    for (const content of text.match(/[\s\S]{1,9}/gu) ?? [])
      response.write(event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }));
    response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }));
    response.write(
      event({ choices: [], usage: { prompt_tokens: 200, completion_tokens: 10, total_tokens: 210 } }),
    );
    response.end("data: [DONE]\n\n");
  });
  return {
    requests,
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

/** The API key of the requests. */
export const labKey = { LAB_KEY: "key-of-the-lab-0123456789" };

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
