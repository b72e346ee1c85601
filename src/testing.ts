// Contract suites for authors of plug-ins: something new is done when its contract passes. Needs vitest.
export { type AdapterSubjects, adapterContract } from "./adapters/adapter.contract.ts";
export {
  type JudgeSubjects,
  judgeContract,
  type OpenJudge,
  type OpenJudgeFor,
} from "./levels/trigger/judges/judge.contract.ts";
export {
  type EmbedderSubjects,
  embedderContract,
  type OpenEmbedder,
} from "./models/embedding/embedder.contract.ts";
export { type MockLine, type MockModel, type MockOptions, mockModel } from "./models/mock.ts";
export { type ModelSubjects, modelContract, type OpenModel } from "./models/model.contract.ts";
export { storeContract } from "./store/store.contract.ts";
export type { StoreFixture } from "./store/store-ground.ts";
