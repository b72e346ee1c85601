import { agentLines } from "/work/main/src/reporters/agent/agent-lines.ts";
import { caseLines } from "/work/main/src/reporters/agent/case-lines.ts";
import { fullAgentReport, fullAgentResults, readFullResults } from "/work/main/src/reporters/agent/sample-agent-report.ts";
const width = Number(process.argv[2] ?? 100);
process.stdout.write(agentLines(fullAgentReport, readFullResults, { color: false, width }));
for (const n of [1,2,3]) { console.log("======="); process.stdout.write(caseLines(fullAgentResults[n]!, { color: false, width })); }
