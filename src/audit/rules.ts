import { promptOverride } from "./aud101-prompt-override.ts";
import { concealFromUser } from "./aud102-conceal-from-user.ts";
import { confirmationBypass } from "./aud103-confirmation-bypass.ts";
import { hiddenUnicode } from "./aud110-hidden-unicode.ts";
import { homoglyph } from "./aud111-homoglyph.ts";
import { fakePrerequisite } from "./aud120-fake-prerequisite.ts";
import { pipeToShell } from "./aud121-pipe-to-shell.ts";
import { remoteInstructions } from "./aud122-remote-instructions.ts";
import { obfuscatedCode } from "./aud130-obfuscated-code.ts";
import { credentialRead } from "./aud140-credential-read.ts";
import { credentialEgress } from "./aud141-credential-egress.ts";
import { hardCodedSecret } from "./aud142-hard-coded-secret.ts";
import { secretInArgv } from "./aud143-secret-in-argv.ts";
import { undeclaredNetwork } from "./aud150-undeclared-network.ts";
import { undeclaredExecution } from "./aud151-undeclared-execution.ts";
import { persistence } from "./aud160-persistence.ts";
import { destructiveCommand } from "./aud161-destructive-command.ts";
import { tlsVerificationOff } from "./aud162-tls-verification-off.ts";
import { unpinnedDependency } from "./aud170-unpinned-dependency.ts";
import { lifecycleScript } from "./aud171-lifecycle-script.ts";
import { autoRunFile } from "./aud172-auto-run-file.ts";
import { opaqueBinary } from "./aud180-opaque-binary.ts";
import { linkOrMode } from "./aud181-link-or-mode.ts";
import { nameSquatting } from "./aud190-name-squatting.ts";
import { toolShadowing } from "./aud191-tool-shadowing.ts";
import { overBroadTrigger } from "./aud192-over-broad-trigger.ts";
import { financialAction } from "./aud193-financial-action.ts";
import { notExamined } from "./aud199-not-examined.ts";
import type { AuditRule } from "./rule.ts";

/** Every rule, in the order of their ids. An id is stable for ever; a retired one is not used again. */
export const auditRules: readonly AuditRule[] = [
  promptOverride,
  concealFromUser,
  confirmationBypass,
  hiddenUnicode,
  homoglyph,
  fakePrerequisite,
  pipeToShell,
  remoteInstructions,
  obfuscatedCode,
  credentialRead,
  credentialEgress,
  hardCodedSecret,
  secretInArgv,
  undeclaredNetwork,
  undeclaredExecution,
  persistence,
  destructiveCommand,
  tlsVerificationOff,
  unpinnedDependency,
  lifecycleScript,
  autoRunFile,
  opaqueBinary,
  linkOrMode,
  nameSquatting,
  toolShadowing,
  overBroadTrigger,
  financialAction,
  notExamined,
];
