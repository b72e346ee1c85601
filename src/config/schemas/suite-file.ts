import * as z from "zod";
import { AgentCaseFile, PureCaseFile } from "../../contract/agent-case.ts";
import { ConversationCaseFile } from "../../contract/conversation-case.ts";

/** A case as editors check it. */
export const AnyCaseFile = z.union([AgentCaseFile, PureCaseFile, ConversationCaseFile]);

/** Cases in one file. What `defaults` says holds for every case of the suite that does not say it itself. */
export const SuiteFile = z.strictObject({
  suite: z.string().min(1).optional(),
  defaults: z
    .union([AgentCaseFile.omit({ id: true }).partial(), ConversationCaseFile.omit({ id: true }).partial()])
    .nullish(),
  cases: z
    .array(
      z.union([
        AgentCaseFile.partial().required({ id: true }),
        PureCaseFile.partial().required({ id: true, kind: true }),
        // Its kind may stand in the defaults.
        ConversationCaseFile.partial().required({ id: true }),
      ]),
    )
    .optional(),
});
