import { UserError } from "../shared/user-error.ts";

/** Why something is left out: it needs a model, and there is neither one nor a recording. */
export const noModel = "no-model";

/** What needs a model, or null where no key for it is set. Whoever asks for it then leaves it out and says so. */
export async function unlessNoModel<Value>(prepare: () => Promise<Value>): Promise<Value | null> {
  try {
    return await prepare();
  } catch (error) {
    if (error instanceof UserError && error.code === "secret-missing") return null;
    throw error;
  }
}
