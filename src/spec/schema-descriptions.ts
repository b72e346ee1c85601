import type { SchemaName } from "./schema-names.ts";

const task = {
  id: "The name of the task, unique in its benchmark.",
  inputData: "What the skill is given: any JSON.",
  expectedOutput: "What is expected of the answer. Which members count depends on the scorer.",
  "expectedOutput.type": "The scorer: exact, contains, regex, json_schema, close_to, llm_judge, custom.",
  "expectedOutput.value": "The value of exact and close_to.",
  "expectedOutput.keywords": "The words of contains.",
  "expectedOutput.patterns": "The patterns of regex.",
  "expectedOutput.schema": "The JSON Schema of json_schema.",
  evaluator: "How to compare; beats what expectedOutput says.",
  timeoutMs: "The deadline of one attempt, in milliseconds.",
  tags: "For results per category, and for --task-tag.",
  weight: "How much the task counts with scoringMethod weighted_mean.",
};

/** What an editor shows beside a key, by file and place. */
export const placeDescriptions: Partial<Record<SchemaName, Readonly<Record<string, string>>>> = {
  skill: {
    "$.id": "The stable name of the skill: a-z, 0-9, _ and -.",
    "$.version": "Semantic version, such as 1.0.0.",
    "$.description": "What the skill does and when to use it.",
    "$.inputSchema": "JSON Schema of the input; a task that does not fit gives a warning.",
    "$.outputSchema": "JSON Schema of the answer; one that does not fit gives a warning.",
    "$.adapterType": "How the skill is called.",
    "$.entrypoint":
      "URL (http), command line (subprocess), command line or URL (mcp), module path (langchain, custom).",
    "$.sandbox": "The least containment to run it with; never a way to allow less.",
    "$.metadata": "Open: any further keys are allowed.",
    "$.metadata.lifecycle": "One process per call, or one that answers many.",
    "$.metadata.pricing": "USD per million tokens, for costs that the skill does not report.",
    "$.metadata.digestIgnore": "Patterns of files the skill writes into its own folder.",
  },
  "adapter-config": {
    "$.type": "Equals adapterType of the skill.",
    "$.timeoutMs": "The deadline of one call, in milliseconds.",
    "$.env": "Variables of the skill's process.",
    "$.envKeys": "Variables of the runner that are handed on.",
    "$.authTokenEnvKey": "The variable that holds the token; never the token itself.",
    "$.bodyMode": "The whole request, or the bare input, as body.",
  },
  benchmark: {
    "$.scoringMethod": "How scores become the partial score.",
    "$.maxLatencyMs": "The latency that counts as worst in the composite score.",
    "$.subject": "skill: call it. files: look at its folder.",
    "$.sandbox": "The least containment to run it with; never a way to allow less.",
    ...Object.fromEntries(Object.entries(task).map(([place, text]) => [`$.tasks[].${place}`, text])),
  },
  task: Object.fromEntries(Object.entries(task).map(([place, text]) => [`$.${place}`, text])),
  strategy: {
    "$.filters": "What a skill must reach to be chosen.",
    "$.sortBy": "The figure skills are ranked by.",
    "$.order": "Left out: the best first.",
    "$.topK": "How many are taken. Left out: all.",
  },
  config: {
    "$.concurrency": "Cells that run at once.",
    "$.timeoutMs": "The deadline of one attempt, in milliseconds.",
    "$.outputDir": "Where reports are written.",
    "$.defaultFormats": "The formats a report is written in.",
    "$.store": "Where runs are kept.",
    "$.llm": "The model that judges, and bare model ids.",
    "$.llm.apiKeyEnv": "The variable that holds the key.",
    "$.llm.apiKey": "Only in ~/.eval-skills/config.yaml.",
    "$.models": "Endpoints by provider name.",
    "$.prices": "USD per million tokens, by model id.",
    "$.sandbox.floor": "The least containment that is accepted.",
    "$.sandbox.network": "May be opened only in ~/.eval-skills/config.yaml or by a flag.",
    "$.sandbox.envKeys": "Variables of the runner that are handed to every skill.",
  },
};
