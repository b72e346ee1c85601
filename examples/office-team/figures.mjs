// Prints the figures of docs/routing.md from a report of `eval-skills trigger examples/office-team/skills`, as a Markdown table.
import { readFileSync } from "node:fs";

const [file = "reports/trigger-result.json"] = process.argv.slice(2);
const { subjects } = JSON.parse(readFileSync(file, "utf8"));
const all = subjects.flatMap(({ skillId, details }) =>
  details.queries.map((query) => ({ ...query, skillId })),
);

const isChinese = ({ query }) => /\p{Script=Han}/u.test(query);
const isYes = ({ yes, no }) => yes > no;
const isFirst = ({ chosen, skillId }) => chosen === skillId;
const has = (tag) => (query) => query.tags.includes(tag);

const columns = [
  ["all", () => true],
  ["Chinese", isChinese],
  ["English", (query) => !isChinese(query)],
  ["other language", has("cross-language")],
];

/** How many of these queries hold, with the 95 % Wilson interval. */
function share(queries, holds) {
  const total = queries.length;
  if (total === 0) return "–";
  const hits = queries.filter(holds).length;
  const z2 = 1.959964 ** 2;
  const rate = hits / total;
  const half = Math.sqrt(z2 * ((rate * (1 - rate)) / total + z2 / (4 * total * total)));
  const [lower, upper] = [-1, 1].map((sign) => (rate + z2 / (2 * total) + sign * half) / (1 + z2 / total));
  const percent = (value) => (100 * Math.max(0, value)).toFixed(1);
  return `${hits}/${total} ${percent(rate)} % [${percent(lower)}–${percent(upper)}]`;
}

function matthews(queries) {
  const count = (side, answer) =>
    queries.filter((query) => query.side === side && isYes(query) === answer).length;
  const [tp, fn] = [count("should_match", true), count("should_match", false)];
  const [fp, tn] = [count("should_not_match", true), count("should_not_match", false)];
  const product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn);
  return product === 0 ? "–" : ((tp * tn - fp * fn) / Math.sqrt(product)).toFixed(3);
}

/** Without negatives it would always be 1. */
function precision(queries, isTaken) {
  const taken = negatives(queries).length === 0 ? [] : queries.filter(isTaken);
  return share(taken, ({ side }) => side === "should_match");
}

const positives = (queries) => queries.filter(({ side }) => side === "should_match");
const negatives = (queries) => queries.filter(({ side }) => side === "should_not_match");
const owned = (queries) => queries.filter(({ belongsTo }) => belongsTo !== null);
const nobodys = (queries) => queries.filter((query) => query.belongsTo === null && has("near-miss")(query));

const rows = [
  ["top-1", (queries) => share(positives(queries), isFirst)],
  ["selected (recall)", (queries) => share(positives(queries), isYes)],
  ["none selected", (queries) => share(positives(queries), ({ chosen }) => chosen === null)],
  ["precision", (queries) => precision(queries, isYes)],
  ["precision, only the first counts", (queries) => precision(queries, isFirst)],
  ["specificity", (queries) => share(negatives(queries), (query) => !isYes(query))],
  ["MCC", matthews],
  [
    "near miss: the owner is first",
    (queries) => share(owned(queries), (query) => query.chosen === query.belongsTo),
  ],
  ["near miss: taken all the same", (queries) => share(owned(queries), isYes)],
  [
    "near miss of nobody: something is selected",
    (queries) => share(nobodys(queries), ({ chosen }) => chosen !== null),
  ],
  [
    "off-topic: something is selected",
    (queries) => share(queries.filter(has("off-topic")), ({ chosen }) => chosen !== null),
  ],
];

const line = (cells) => `| ${cells.join(" | ")} |`;
console.log(line(["", ...columns.map(([name]) => name)]));
console.log(line(["---", ...columns.map(() => "---")]));
for (const [name, figure] of rows)
  console.log(line([name, ...columns.map(([, holds]) => figure(all.filter(holds)))]));
