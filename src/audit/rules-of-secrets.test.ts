import { describe, expect, test } from "vitest";
import { auditedSkill, foundBy } from "../../test/audited-skill.ts";
import { hardCodedSecret } from "./aud142-hard-coded-secret.ts";
import { secretInArgv } from "./aud143-secret-in-argv.ts";
import { applyRule } from "./audit-skill.ts";

// Put together here, so that no scanner takes this file for a leak.
const random = "pQ7xVr2mKs9tLw4nZb8cHd6fJg3yTe5a";
const github = `ghp_${random}${"Uk1v"}`;
const aws = `AKIA${"Z7QX4TPL2MVB8KDR"}`;
const keyHead = `-----BEGIN RSA ${"PRIVATE KEY"}-----`;
const keyBody = "MIIEowIBAAKCAQEAx8Vq3kQ1r7Yz0pTnW2sLb5mKd9fHgJ4cUeRaXoNiSvPyBtZw";

describe("AUD142 hard-coded-secret", () => {
  test.each([
    ["a GitHub token", "config.py", `TOKEN = "${github}"`, "high"],
    ["an AWS key in a hidden file", ".env", `AWS_ACCESS_KEY_ID=${aws}`, "high"],
    [
      "a Slack webhook",
      "notify.sh",
      `curl https://hooks.slack.com/services/T${"0A2B4C6D8"}/B${"1Q3W5E7R9"}/${random.slice(0, 24)}`,
      "high",
    ],
    ["a Stripe key", "pay.js", `const key = "sk_live_${random.slice(0, 26)}"`, "high"],
    ["a bot token in a test", "tests/bot.py", `bot = "7${"291840563"}:AA${random}x"`, "high"],
    ["a private key", "id.pem", `${keyHead}\n${keyBody}\n`, "high"],
    ["a private key within a string", "key.js", `const key = "${keyHead}\\n${keyBody}"`, "high"],
    ["a private key made for a test", "tests/fixtures/key.pem", `${keyHead}\n${keyBody}\n`, "medium"],
    [
      "a password that looks drawn at random",
      "settings.yaml",
      'password: "x7Kq9vR2mT4wZ8"'.replace("Z8", "Z8pL"),
      "medium",
    ],
    ["a token of a manual, described as such", "SKILL.md", `Example: \`${github}\``, "low"],
  ])("%s", async (_, file, text, severity) => {
    expect(await foundBy(hardCodedSecret, { [file]: text })).toEqual([`${file}:1 ${severity}`]);
  });

  test.each([
    ["the example of the AWS manual", "AKIAIOSFODNN7EXAMPLE"],
    ["placeholders", `ghp_${"x".repeat(36)} sk-ant-your-key-goes-here-1A sk_live_${"0".repeat(24)}`],
    ["a pattern that looks for keys", `if "${keyHead}" in text: redact()`],
    ["a value from the environment", 'api_key = os.environ["API_KEY_1234567890"]'],
    ["a name for a password", 'password = "correct-horse-battery-staple"'],
    ["a made-up password", 'password: "MySecurePassword123!"'],
    ["a variable in a string", 'token: "$GITHUB_TOKEN_PRODUCTION_1"'],
    ["a hash that is not a secret", 'integrity = "sha512-pQ7xVr2mKs9tLw4nZb8cHd6fJg3yTe5a"'],
    ["a counted-up token", 'api_key = "abcdef1234567890abcdef"'],
  ])("%s is not a finding", async (_, text) => {
    expect(await foundBy(hardCodedSecret, { "SKILL.md": text, "run.py": text })).toEqual([]);
  });

  test("the secret itself is never shown", async () => {
    const text = `a = 1\nTOKEN = "${github}"  # ${github}\npassword = "${random}"\n`;
    const findings = applyRule(hardCodedSecret, await auditedSkill({ "a.py": text }));

    expect(findings.map(({ line, evidence }) => [line, evidence])).toEqual([
      [2, 'TOKEN = "ghp_pQ…'],
      [3, 'password = "pQ7xVr…"'],
    ]);
  });
});

describe("AUD143 secret-in-argv", () => {
  test.each([
    ["a password on a command line", "deploy.sh", "tool login --password hunt3rS2pass", "medium"],
    ["a token that the shell expands", "deploy.sh", 'vercel deploy --token "$VERCEL_TOKEN"', "low"],
    ["sshpass", "deploy.sh", "sshpass -p 'Tr0ub4dor' ssh host", "medium"],
    ["mysql", "deploy.sh", "mysql -u root -pTr0ub4dor db", "medium"],
    ["curl with user and password", "deploy.sh", "curl -s -u admin:Tr0ub4dor https://host/", "medium"],
    ["a password in an address", "deploy.sh", "git clone https://bot:Tr0ub4dor@host/x.git", "medium"],
    ["a list of arguments", "run.py", 'subprocess.run(["tool", "--password", password])', "medium"],
    ["a list of arguments", "run.mjs", 'spawn("tool", ["deploy", "--api-key", key])', "medium"],
  ])("%s in %s is found", async (_, file, text, severity) => {
    expect(await foundBy(secretInArgv, { [file]: text })).toEqual([`${file}:1 ${severity}`]);
  });

  test("a command that people copy from a document is found, and one that is warned of is not", async () => {
    const text =
      "Log in:\n\n```sh\ntool login --token k9Vx72Qw\n```\n\nNever do this:\n\n```sh\ntool --token k9Vx72Qw\n```\n";

    expect(await foundBy(secretInArgv, { "SKILL.md": text })).toEqual(["SKILL.md:4 medium"]);
  });

  test.each([
    [
      "an option that is declared",
      "run.py",
      'parser.add_argument("--token", help="your token", required=True)',
    ],
    ["an option that is declared", "run.mjs", 'program.option("--password <text>", "the password")'],
    ["a placeholder", "SKILL.md", "```sh\ntool --api-key <your-key>\ntool --token YOUR_TOKEN\n```"],
    ["standard input", "deploy.sh", "echo $T | docker login -u me --password-stdin"],
    ["a header from a variable", "deploy.sh", 'curl -H "Authorization: Bearer $TOKEN" https://host/'],
    ["a sentence", "SKILL.md", "The --password option takes a password."],
    ["another option with a similar name", "deploy.sh", "tool --token-limit 4000 --secrets-file ./x"],
  ])("%s in %s is not a finding", async (_, file, text) => {
    expect(await foundBy(secretInArgv, { [file]: text })).toEqual([]);
  });
});
