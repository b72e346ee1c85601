import { readCommands, readParagraphs } from "./blocks.ts";
import { isDependency, isTestMaterial } from "./file-locations.ts";
import { type Sign, sightings, toMatch } from "./found.ts";
import { polarityAt } from "./polarity.ts";
import type { AuditedFile, AuditRule, Match } from "./rule.ts";

/** A skill that can move money. */
export const financialAction: AuditRule = {
  id: "AUD193",
  name: "financial-action",
  severity: "medium",
  message: "the skill can move money: a payment, a wallet, a trade",
  help: "Have a person confirm each transfer, and use an account with a low balance.",
  *find({ files }) {
    for (const file of files) {
      if (file.text === null || isDependency(file.path) || isTestMaterial(file.path)) continue;
      if (!anyShape.test(file.text)) continue;
      const first = findFirst(file);
      if (first !== null) yield first;
    }
  },
};

/** A cheap pre-check of a file for any of the shapes below. */
const anyShape =
  /transaction|transfer|\.create\s?\(|wallet|from_key|keypair|orders?\s?\(|(?:market|limit|buy|sell) order|order_market|bitcoin|cast send|\b(?:btc|eth|ether\w{0,3}|sol|solana|usd[ct]|dai|bnb|xrp|doge|matic|sats|wei|gwei|lamports)\b|crypto|satoshi|funds|money|\btrades?\b|phrase|mnemonic|recovery|payment|purchase/i;

const coins =
  "(?:BTC|ETH|SOL|USDC|USDT|DAI|BNB|XRP|DOGE|MATIC|bitcoin|ether(?:eum)?|solana|crypto(?:currency)?|satoshis?|sats|wei|gwei|lamports)";

/** Calls that move money; reading a price or a balance does not. */
const calls: readonly Sign[] = [
  {
    pattern:
      /\b(?:eth_send(?:Raw)?Transaction|sendRawTransaction|send_raw_transaction|sendTransaction|signTransaction|sign_transaction|sendAndConfirmTransaction|SystemProgram\.transfer|personal_sendTransaction|wallet_sendCalls)\b/g,
  },
  {
    pattern:
      /\b(?:paymentIntents|PaymentIntent|charges|Charge|transfers|Transfer|payouts|Payout|refunds|Refund|subscriptions|Subscription)\.create\s?\(/g,
  },
  {
    pattern:
      /\bnew (?:ethers\.)?Wallet\s?\(|\bAccount\.from_key\s?\(|\bKeypair\.from(?:SecretKey|_secret_key|_base58_string|Seed)\b/g,
  },
  {
    pattern:
      /\.(?:create_?(?:market|limit)_?(?:buy_|sell_)?order|createOrder|create_order|place_?order|submit_order|new_order|order_market_(?:buy|sell))\s?\(/gi,
  },
  {
    pattern:
      /\b(?:solana transfer|cast send|bitcoin-cli (?:sendtoaddress|sendmany)|stripe (?:payouts|transfers|charges|payment_intents) create)\b/g,
  },
];

const sentences: readonly Sign[] = [
  {
    pattern: new RegExp(
      `\\b(?:send|transfer|deposit|pay|withdraw|swap|buy|sell|stake|bridge)\\s(?:[\\w.,$]{1,20}\\s){0,3}${coins}\\b`,
      "gi",
    ),
  },
  {
    pattern: /\b(?:send|transfer|wire)\s(?:the\s|any\s|all\s|your\s)?(?:funds|money|tokens from|crypto)\b/gi,
  },
  {
    pattern:
      /\b(?:execut(?:e|es|ing)|plac(?:e|es|ing)|submit(?:s|ting)?)\s(?:a\s|the\s|an\s|real\s|live\s|market\s|limit\s|buy\s|sell\s){0,3}(?:trades?|(?:market|limit|buy|sell) orders?)\b/gi,
  },
  {
    pattern:
      /\b(?:(?:your|their|user['’]s|wallet(?:['’]s)?)\s(?:\w{1,20}\s){0,2}seed|recovery|mnemonic)\s(?:phrase|words)\b|\bwallet['’]?s?\s(?:private key|secret key|keystore)\b|\bWALLET_PRIVATE_KEY\b/gi,
  },
  {
    pattern:
      /\b(?:make|makes|making|initiate|initiates)\s(?:a\s|the\s|real\s)?(?:payments?|purchases?|wire transfers?)\b/gi,
  },
];

/** One match is enough: a trading skill would have a hundred. */
function findFirst(file: AuditedFile): Match | null {
  if (file.kind === "code") {
    for (const sighting of sightings(readCommands(file), calls))
      if (sighting.block.lines[0]?.isComment !== true) return toMatch(sighting);
    return null;
  }
  if (file.kind !== "prose") return null;
  for (const sighting of sightings(readParagraphs(file), [...calls, ...sentences]))
    if (polarityAt(sighting.block, sighting.index) === "requested") return toMatch(sighting);
  return null;
}
