// Contract suites for authors of plug-ins: something new is done when its contract passes. Needs vitest.
export { type AdapterSubjects, adapterContract } from "./adapters/adapter.contract.ts";
export { type StoreGround, storeContract } from "./store/store.contract.ts";
