import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ReportFile } from "../src/contract/document.ts";
import { TriggerSubjectDetails } from "../src/levels/trigger/details.ts";
import { judgmentsIn } from "../src/levels/trigger/query-lines.ts";
import { capturedCli } from "./captured-world.ts";
import { httpServer, readBody } from "./local-server.ts";
import { completion } from "./model-server.ts";
import { soundDecision } from "./sound-judge.ts";

/** The question to a scripted judge. */
export interface JudgeQuestion {
  query: string;
  /** Everything it was sent. */
  prompt: string;
}

/** A folder with skills and trigger tests, and a local model with scripted judgments. */
export async function triggerProject(
  reply: (question: JudgeQuestion, call: number) => string | number | Promise<string | number>,
  /** Whether the model is right about known requests, whatever else it says. */
  isSound = true,
) {
  const cli = await capturedCli();
  const questions: JudgeQuestion[] = [];
  const server = await httpServer(async (request, response) => {
    const { messages } = JSON.parse(await readBody(request));
    const prompt: string = messages.at(-1).content;
    const from = prompt.lastIndexOf("USER QUERY: ") + "USER QUERY: ".length;
    const usage = { prompt_tokens: 200, completion_tokens: 10, total_tokens: 210 };
    const sound = isSound ? soundDecision(prompt) : null;
    response.setHeader("content-type", "application/json");
    if (sound !== null) return void response.end(completion(sound, usage));
    const question = { prompt, query: prompt.slice(from, prompt.indexOf("\n[[end", from)) };
    questions.push(question);
    const answer = await reply(question, questions.length);
    response.statusCode = typeof answer === "number" ? answer : 200;
    response.end(typeof answer === "number" ? '{"error":{"message":"no"}}' : completion(answer, usage));
  });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(cli.cwd, path)), { recursive: true });
    writeFileSync(join(cli.cwd, path), text);
  };
  cli.configureUser(
    `models: { lab: { baseUrl: "${server.url}", apiKeyEnv: LAB_KEY } }\nllm: { retries: 0, timeoutMs: 5000 }\nprices: { lab/judge: { inputPerMTok: 1, outputPerMTok: 5 } }\n`,
  );
  return {
    ...cli,
    questions,
    url: server.url,
    write,
    /** Adds a skill whose requests say on which side they are. */
    addSkill(name: string, { positives = 4, negatives = 4, block = "" } = {}) {
      const list = (count: number, words: string) =>
        Array.from({ length: count }, (_, n) => `    - "${words} ${name} number ${n}"\n`).join("");
      write(
        `skills/${name}/SKILL.md`,
        `---\nname: ${name}\ndescription: Folds ${name} paper. Use when somebody asks for ${name}.\n---\n\nFold it.\n`,
      );
      write(
        `skills/${name}/eval.yaml`,
        `triggering:\n${block}  should_match:\n${list(positives, "please fire")}  should_not_match:\n${list(negatives, "stay quiet")}`,
      );
    },
    run: (argv: readonly string[], env: Record<string, string> = {}) =>
      cli.run(argv, { env: { PATH: process.env.PATH ?? "", LAB_KEY: "key-of-the-lab-0123", ...env } }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await cli[Symbol.asyncDispose]();
    },
  };
}

/** The verdicts of judges everybody knows. */
export const scripts = {
  perfect: ({ query }: JudgeQuestion) =>
    query.startsWith("please fire")
      ? "DECISION=YES REASON=It asks for it."
      : "DECISION=NO REASON=It does not.",
  never: () => "DECISION=NO REASON=Never.",
  always: () => "DECISION=YES REASON=Always.",
};

/** What a document says about the only skill with trigger tests in it: its figures, and its queries with every judgment. */
export function triggeringIn(document: unknown) {
  const { subjects, cells } = ReportFile.parse(document);
  const [subject, ...others] = subjects.filter(({ level }) => level === "trigger");
  if (subject === undefined || others.length > 0)
    throw new Error(`trigger tests of one skill were expected, not of ${subjects.length}`);
  const { queries, ...figures } = TriggerSubjectDetails.parse(subject.details);
  const own = cells.filter(({ level, skillId }) => level === "trigger" && skillId === subject.skillId);
  return {
    ...figures,
    queries: queries.map((query) => ({
      ...query,
      judgments: judgmentsIn(own.filter(({ caseId }) => caseId === query.queryId)),
    })),
  };
}
