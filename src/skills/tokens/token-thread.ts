import { parentPort } from "node:worker_threads";
import { encodedLength } from "../../shared/text/token-encoding.ts";

/** An order to the thread that counts tokens, and its answer. */
export interface TokenOrder {
  id: number;
  text: string;
}
export interface TokenAnswer {
  id: number;
  tokens: number;
}

parentPort?.on("message", async (orders: readonly TokenOrder[]) => {
  const answers: TokenAnswer[] = [];
  for (const { id, text } of orders) answers.push({ id, tokens: await encodedLength(text) });
  parentPort?.postMessage(answers);
});
