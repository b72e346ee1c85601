export { type StoreGround, storeContract } from "./store/store.contract.ts";
