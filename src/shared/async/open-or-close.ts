/** Does the rest of an opening; where that fails, what was opened before is closed again. */
export async function openOrClose<Value>(close: () => unknown, open: () => Promise<Value>): Promise<Value> {
  try {
    return await open();
  } catch (error) {
    await close();
    throw error;
  }
}
