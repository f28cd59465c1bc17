/**
 * Reads the body of a request or response, and stops reading as soon as it is longer than anything acceptable.
 *
 * @param limit bytes.
 * @returns null when the body is longer.
 */
export async function readBounded(
  message: { readonly body: ReadableStream<Uint8Array> | null },
  limit: number,
): Promise<Uint8Array | null> {
  if (message.body === null) return new Uint8Array();
  const reader = message.body.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(parts);
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      return null;
    }
    parts.push(value);
  }
}
