import * as z from "zod";

const port = z.number().int().min(1024).max(65_535);

/** A program that skills need while they are tested. It gets its port as PORT, and as `{{port}}` in its command, variables and URL. */
export const Service = z.object({
  command: z.string().trim().min(1),
  env: z.record(z.string(), z.string()).default({}),
  /** Ready when this address answers, when this port is open, or when it writes this text; by default, when its port is open. */
  readyUrl: z.string().min(1).optional(),
  readyPort: port.optional(),
  readyLine: z.string().min(1).optional(),
  readyTimeoutMs: z.number().int().min(1).max(600_000).default(30_000),
  /** One for all cells, which is the default, or a new one for each call. */
  perRun: z.boolean().optional(),
  perCell: z.boolean().optional(),
});
export type Service = z.infer<typeof Service>;

const commands = z.union([z.string().trim().min(1), z.array(z.string().trim().min(1)).min(1)]);

/** The programs of a suite: what is there while its cases run, and what happens before and after. */
export const suiteProgramKeys = {
  services: z.record(z.string().regex(/^[A-Za-z_][\w-]*$/), Service).optional(),
  setup: commands.optional(),
  teardown: commands.optional(),
};
const SuitePrograms = z.object(suiteProgramKeys);
export type SuitePrograms = z.infer<typeof SuitePrograms>;

/** The port of a service, where a skill names it: `{{services.api.port}}`. */
const servicePort = /\{\{\s*services\.([A-Za-z_][\w-]*)\.port\s*\}\}/g;

/** The services whose ports a text names. */
export function servicesNamedIn(text: string): string[] {
  return [...text.matchAll(servicePort)].map(([, name = ""]) => name);
}

/** A text with the ports of services in it. Without them any valid one stands in, so that the rest can be checked. */
export function withServicePorts(text: string, portOf: (name: string) => number = () => 65_535): string {
  return text.replace(servicePort, (_, name) => String(portOf(name)));
}

/** The fixed port of a service; null where it gets a free one. */
export function fixedPort({ readyPort, readyUrl }: Pick<Service, "readyPort" | "readyUrl">): number | null {
  if (readyPort !== undefined) return readyPort;
  const [, digits] = /^https?:\/\/(?:[^/?#@]*):(\d+)(?:[/?#]|$)/i.exec(readyUrl ?? "") ?? [];
  return digits === undefined ? null : Number(digits);
}

/** What programs of a suite are given to skills by. */
export interface RunningPrograms {
  /** By the name of each service. */
  ports: ReadonlyMap<string, number>;
  /** By port, the unix sockets that lead to services in networks of their own. */
  sockets: ReadonlyMap<number, string>;
  /** The folder that setup worked in. */
  workFolder: string;
}

/** The variable with the folder that setup worked in. */
export const workFolderVariable = "EVAL_SKILLS_WORK";
