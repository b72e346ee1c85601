import type { RouteRequest } from "../contract/routing.ts";
import { firstOf } from "./routing-text.ts";

const longestMessage = 4000;
const shortMessage = 24;
const longestDocumentName = 120;
const maxTurns = 3;
const longestTurn = 80;

/** What is embedded of a request: the message, and what helps to understand one that says little. */
export function vectorQuery({ query, documentName = "", recentTurns = [] }: RouteRequest): string {
  const message = query.trim();
  const isShort = [...message.slice(0, 2 * shortMessage)].length < shortMessage;
  const turns = isShort ? recentTurns.slice(-maxTurns).map((turn) => firstOf(turn.trim(), longestTurn)) : [];
  return [firstOf(message, longestMessage), firstOf(documentName.trim(), longestDocumentName), ...turns]
    .filter((part) => part !== "")
    .join("\n");
}
