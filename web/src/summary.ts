// What the command said, as a whole.
import { Report, Trace, Verdict } from "./data";
import { endedText, stuckText, stuckThreads } from "./ended";
import { byId, count, element, grouped, printable } from "./text";

export function isShaky(verdict: Verdict): boolean {
  return verdict.rests_on.some((basis) => basis.trust === "shaky");
}

export function verdictOf(report: Report): string {
  const proved = report.findings.filter((finding) => finding.claim).length + report.left_out;
  const complete = report.complete ? "" : report.result.stopped ? ", search stopped at the first" : ", search not complete";
  if (report.command === "view") return report.findings.length ? count(report.findings.length, "schedule", "schedules") : "";
  if (report.command === "states") return `${grouped(Number(report.result.states))} global states${complete}`;
  if (["check", "report", "test"].includes(report.command)) return levels(report) + complete;
  if (proved) return `${count(proved, "finding", "findings")}${complete}`;
  if (report.findings.length) return `${count(report.findings.length, "finding", "findings")}, none proved`;
  if (!report.complete) return "nothing found, search not complete";
  return isShaky(report.verdict) ? "nothing found, if what this rests on holds" : "nothing found, search complete";
}

function levels(report: Report): string {
  const names = [...new Set(report.findings.map((finding) => finding.level ?? "note"))];
  const order = ["error", "warning", "note"].filter((name) => names.includes(name));
  return order.map((name) => count(report.findings.filter((finding) => finding.level === name).length, name, `${name}s`)).join(", ") || "nothing found";
}

function rows(value: unknown, name: string, into: [string, string][]): void {
  if (Array.isArray(value)) into.push([name, count(value.length, "entry", "entries")]);
  else if (value && typeof value === "object") for (const [key, inner] of Object.entries(value)) rows(inner, name ? `${name} · ${key}` : key, into);
  else into.push([name, typeof value === "number" ? grouped(value) : printable(String(value), 200)]);
}

function restsOn(basis: Verdict["rests_on"][number]): string {
  const code = basis.what ? `${basis.code}:${basis.what}` : basis.code;
  return `${basis.trust === "firm" ? "" : `${basis.trust}: `}${printable(basis.text, 400)} [${printable(code, 120)}]`;
}

export function showSummary(report: Report, trace: Trace | undefined): void {
  const all: [string, string][] = [
    ["command", `heddle ${report.command}`],
    ["input", printable(report.input, 200)],
    ["complete", report.complete ? "yes" : "no"],
    ...report.verdict.why_not.map((reason): [string, string] => ["why not", `${printable(reason.text, 400)} [${printable(reason.code, 40)}]`]),
    ...report.verdict.rests_on.map((basis): [string, string] => ["rests on", restsOn(basis)]),
    ["seconds", String(report.seconds)],
    ["heddle", report.heddle],
  ];
  if (trace) {
    all.push(["events", grouped(trace.length)], ["threads", grouped(trace.lanes.length)]);
    all.push(["locks", grouped(trace.data.names.lock?.length ?? 0)], ["variables", grouped(trace.data.names.variable?.length ?? 0)]);
    if (trace.data.ended) all.push(["ended", endedText(trace.data.ended)]);
    for (const stuck of stuckThreads(trace)) all.push([`at the end, ${stuck.thread}`, stuckText(stuck)]);
    if (trace.data.incomplete) all.push(["trace", `incomplete, ${count(trace.data.lost, "event", "events")} lost`]);
  }
  rows(report.result, "", all);
  const list = element("dl", { class: "summary" });
  for (const [name, value] of all) list.append(element("dt", {}, printable(name, 80).replace(/_/g, " ")), element("dd", {}, value));
  byId("summary").replaceChildren(list);
}
