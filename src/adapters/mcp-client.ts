import {
  Client,
  type ElicitRequest,
  type ElicitResult,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
} from "@modelcontextprotocol/client";

interface ClientListeners {
  onToolsChanged(): void;
  /** Called with whatever the SDK could not interpret. */
  onError(error: Error): void;
}

/** The SDK's own time limit is switched off: the caller enforces the only deadline. */
export const noTimeout = { timeout: 2 ** 31 - 1 };

/** The SDK's client as we use it: it can answer a question with defaults, and offers nothing else. */
export function newClient(version: string, { onToolsChanged, onError }: ClientListeners): Client {
  const client = new Client(
    { name: "eval-skills", version },
    { capabilities: { elicitation: { form: {} } }, jsonSchemaValidator: noValidator },
  );
  client.setRequestHandler("elicitation/create", answerElicitation);
  client.setNotificationHandler("notifications/tools/list_changed", onToolsChanged);
  client.onerror = onError;
  return client;
}

/** Answers are checked with the same validator as everywhere else; a second one need not be built for every client. */
const noValidator: jsonSchemaValidator = {
  getValidator:
    <Value>(): JsonSchemaValidator<Value> =>
    (input) => ({ valid: true, data: input as Value, errorMessage: undefined }),
};

/** Answers a server that asks the user something: with the defaults if they are enough, else by declining. No user is involved. */
function answerElicitation({ params }: Pick<ElicitRequest, "params">): ElicitResult {
  if (!("requestedSchema" in params)) return { action: "decline" };
  const { properties, required = [] } = params.requestedSchema;
  const defaults = Object.entries(properties).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[name, value]],
  );
  const content = Object.fromEntries(defaults);
  const isEnough = required.every((name) => Object.hasOwn(content, name));
  return isEnough ? { action: "accept", content } : { action: "decline" };
}
