// Decodes text of other encodings to UTF-8: UTF-16 as PowerShell and Windows tools write it, and what an XML declaration names.
import { attempt } from '../../base/attempt.ts';

const DECLARED = /^<\?xml[^>]{0,100}\bencoding\s*=\s*["']([\w.:-]{1,40})["']/; // bounded: the first 200 bytes

/** The encoding of a file by its first bytes, if it is not UTF-8 and can be decoded; undefined otherwise. */
export function encodingOf(head: Uint8Array): string | undefined {
  const [first, second, third, fourth] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0 && third === 0x3f && fourth === 0))
    return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c && third === 0 && fourth === 0x3f))
    return 'utf-16be';
  const declared = DECLARED.exec(Buffer.from(head.subarray(0, 200)).toString('latin1'))?.[1];
  const name = declared === undefined ? undefined : attempt(() => new TextDecoder(declared).encoding);
  // A text whose declaration can be read byte by byte is not UTF-16, whatever it declares.
  return name === undefined || name.startsWith('utf-') ? undefined : name;
}

export async function* decodeChunks(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  yield encoder.encode(decoder.decode());
}

/** The text of a file as UTF-8. */
export function decodeWhole(bytes: Uint8Array): Uint8Array {
  const encoding = encodingOf(bytes);
  return encoding === undefined ? bytes : new TextEncoder().encode(new TextDecoder(encoding).decode(bytes));
}
