import { toAddress, type Hex } from "@assay/protocol";
import type { EventFragment, ParamType } from "ethers";

/**
 * Decodes an event all of whose members are of fixed size, each to its text, members of a struct as `struct.member`.
 * Every event of the escrow is such a one; a general decoder takes most of the time of catching up.
 *
 * @throws Error when the log is not one of this event, or a word holds more than its type can.
 */
export function decodeStaticEvent(
  event: EventFragment,
  log: { readonly topics: readonly Hex[]; readonly data: Hex },
): Record<string, string> {
  const topics = log.topics.map((topic) => topic.slice(2));
  const result: Record<string, string> = {};
  let topic = 1;
  let offset = 2;
  const read = (member: ParamType, prefix: string) => {
    if (member.components !== null) {
      for (const inner of member.components) read(inner, `${prefix}${member.name}.`);
      return;
    }
    const word = member.indexed === true ? topics[topic++] : log.data.slice(offset, (offset += 64));
    if (word?.length !== 64) throw new Error(`${event.name} has no ${prefix}${member.name}`);
    result[prefix + member.name] = decodeWord(member.type, word);
  };
  for (const member of event.inputs) read(member, "");
  if (topics.length !== topic || log.data.length !== offset)
    throw new Error(`${event.name} has more than its members`);
  return result;
}

function decodeWord(type: string, word: string): string {
  if (type === "address") return toAddress(`0x${upTo(word, 40, type)}`);
  const bytes = /^bytes(\d+)$/.exec(type)?.[1];
  if (bytes !== undefined) {
    const digits = Number(bytes) * 2;
    if (!/^0*$/.test(word.slice(digits))) throw tooLarge(type);
    return `0x${word.slice(0, digits)}`;
  }
  const bits = /^uint(\d+)$/.exec(type)?.[1];
  if (bits === undefined) throw new Error(`${type} has no fixed size that is known here`);
  return BigInt(`0x${upTo(word, Number(bits) / 4, type)}`).toString();
}

/** The last digits of a word; the others must be zero. */
function upTo(word: string, digits: number, type: string): string {
  if (!/^0*$/.test(word.slice(0, 64 - digits))) throw tooLarge(type);
  return word.slice(64 - digits);
}

function tooLarge(type: string): Error {
  return new Error(`a word holds more than ${type} can`);
}
