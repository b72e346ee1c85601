/** Sends a signal to a process, or to a group by its negative number. One that ended already is no failure. */
export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Everything under this number ended between the look and the signal.
  }
}
