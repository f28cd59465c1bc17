import type { PythonMutant } from "./python.ts";

/** A change that must be noticed whatever the score is: each takes one promise of a contract back. */
export interface NamedChange {
  name: string;
  file: string;
  /** Occurs once in the file. */
  before: string;
  after: string;
}

const RESPONSIBILITY = "contracts-genlayer/responsibility.py";
const VERIFIER = "contracts-genlayer/agreement_verifier.py";

const change =
  (file: string) =>
  (name: string, before: string, after: string): NamedChange => ({ name, file, before, after });
const fault = change(RESPONSIBILITY);
const judge = change(VERIFIER);

const CONSENSUS = "            return same(leader_result.calldata, find())";
const TRUSTING = "            return True";

/** Those of `responsibility.py`, then those of `agreement_verifier.py`. */
export const NAMED: readonly NamedChange[] = [
  fault(
    "consent: one agent's is enough",
    "if workflow.accepted_a and workflow.accepted_b:",
    "if workflow.accepted_a or workflow.accepted_b:",
  ),
  fault(
    "consent: to any commitment",
    '        require(digest == workflow.digest, "workflow_digest", "the workflow\'s is " + workflow.digest)\n',
    "",
  ),
  fault(
    "consent: the creator's by creating",
    "            accepted_a=False,",
    "            accepted_a=creator == a,",
  ),
  fault(
    "sender check: anyone is agent B",
    '        require(agent == workflow.agent_b.as_hex, "agent", "is neither agent of the workflow: " + agent)\n',
    "",
  ),
  fault(
    "sender check: anyone assesses",
    '        require(sender.as_hex.lower() in named, "sender", "the workflow does not name " + sender.as_hex)\n',
    "",
  ),
  fault(
    "sender check: any signature is agent A's",
    "        if agent == workflow.agent_a.as_hex:",
    '        if agent in ("", workflow.agent_a.as_hex):',
  ),
  fault("same address", '        require(a != b, "agent_b", "must be another address than agent_a")\n', ""),
  fault(
    "output overwrite",
    '        require(delivered == "", "submit_output", agent + " has submitted")\n',
    "",
  ),
  fault(
    "ready state: one output is enough",
    'if workflow.output_a != "" and workflow.output_b != "":',
    'if workflow.output_a != "" or workflow.output_b != "":',
  ),
  fault(
    "ready state: assessed in any state",
    '        require(workflow.state in (READY, ASSESSED), "assess", "the state is " + STATES[workflow.state])\n',
    "",
  ),
  fault("leader-only trust", CONSENSUS, TRUSTING),
  fault(
    "malformed mapping: no verdict is INCONCLUSIVE",
    '        raise model_error("the verdict must be one of " + ", ".join(VERDICTS))',
    '        return "INCONCLUSIVE"',
  ),
  fault(
    "malformed mapping: no JSON is INCONCLUSIVE",
    '        raise model_error("the answer is not JSON") from None',
    '        return {"verdict": "INCONCLUSIVE"}',
  ),
  fault(
    "malformed mapping: no answer is INCONCLUSIVE",
    '        raise model_error("the model gave no answer") from None',
    '        return \'{"verdict":"INCONCLUSIVE"}\'',
  ),
  fault(
    "record creation: none",
    "        self.records[identifier] = ResponsibilityRecord(",
    "        ResponsibilityRecord(",
  ),
  fault(
    "record creation: a second one",
    '        require(identifier not in self.records, "assess", sender.as_hex + " has a record")\n',
    "",
  ),
  fault(
    "an added timestamp: in the workflow's digest",
    '                str(terms["patience"]).encode(),',
    '                str(terms["patience"]).encode(),\n                gl.message_raw["datetime"].encode(),',
  ),
  fault(
    "an added timestamp: in the record's digest",
    "    place = [assessor.lower().encode(), str(sequence).encode()]",
    '    place = [assessor.lower().encode(), str(sequence).encode(), gl.message_raw["datetime"].encode()]',
  ),

  judge(
    "sender check",
    '        require(\n            sender in policy["relayers"], "sender", "the agreement does not name " + sender + " as a relayer"\n        )\n',
    "",
  ),
  judge(
    "another judge's agreement",
    '        require(\n            policy["contract"] == here, "agreement.adjudication.contract", "names another judge than " + here\n        )\n',
    "",
  ),
  judge(
    "record overwrite",
    '        require(record_id(sender, key) not in self.records, "key", "this sender has a record of it: " + key)\n',
    "",
  ),
  judge("record creation: none", "        self.records[identifier] = Record(", "        Record("),
  judge("leader-only trust", CONSENSUS, TRUSTING),
  judge(
    "leader-only trust: any results of the right form",
    'return well_formed(leader_value, ids) and leader_value["results"] == own_value["results"]',
    "return well_formed(leader_value, ids)",
  ),
  judge(
    "malformed mapping: no answer is not met",
    '        raise model_error("the answer is not JSON") from None',
    '        return {"requirements": {}, "score": 0}',
  ),
  judge(
    "malformed mapping: an unknown word is not met",
    '        raise model_error(identifier + ": met must be true or false")',
    '        met, quote = False, ""',
  ),
  judge("quotes are not looked up", "    if TRUTH[met] and not is_quote(quote, texts):", "    if False:"),
  judge("a model decides what a check decided", '        if "check" not in requirement\n', ""),
  judge("a failed check is forgotten", "        if all_pass(decided) and to_judge:", "        if to_judge:"),
  judge(
    "one met requirement is enough",
    'return PASSED if requirements and all(item["result"] == "PASS" for item in requirements) else FAILED',
    'return PASSED if requirements and any(item["result"] == "PASS" for item in requirements) else FAILED',
  ),
  judge(
    "no answer from the web is a status",
    '        raise transient("no answer from " + url[:200])',
    "        return 599",
  ),
  judge(
    "a link's bytes are not compared",
    '    if len(body) != link["bytes"] or sha256_hex(body) != link["sha256"]:',
    "    if False:",
  ),
  judge(
    "an added timestamp",
    '                "sequence": sequence,\n                "outcome"',
    '                "sequence": sequence,\n                "time": gl.message_raw["datetime"],\n                "outcome"',
  ),
];

/** How many times a text occurs in another. */
export const occurrences = (text: string, part: string): number => text.split(part).length - 1;

/** The operator of a named mutant. */
export const operatorOf = ({ name }: NamedChange): string => `named: ${name}`;

/** The named changes of a source as mutants. @throws when one doesn't occur exactly once */
export function namedMutants(file: string, source: string): PythonMutant[] {
  return NAMED.filter((item) => item.file === file).map((item) => {
    if (occurrences(source, item.before) !== 1) throw new Error(`${file}: "${item.name}" doesn't apply once`);
    const at = source.indexOf(item.before);
    const first = source.lastIndexOf("\n", at - 1) + 1;
    // A change that takes whole lines away ends at the end of the last of them
    const end = at + item.before.length - (item.before.endsWith("\n") ? 1 : 0);
    const next = source.indexOf("\n", end);
    const last = next < 0 ? source.length : next;
    return {
      file,
      line: source.slice(0, first).split("\n").length,
      operator: operatorOf(item),
      before: source.slice(first, last),
      after: source.slice(first, at) + item.after.replace(/\n$/, "") + source.slice(end, last),
      scope: operatorOf(item),
      reachedBy: [],
    };
  });
}
