// Recognizes files that people open by mistake and that no loader reads.
import { headText } from './shared/stream.ts';

/** What a file that is not a profile seems to be; undefined for text and anything unknown. */
export function strangerOf(head: Uint8Array): string | undefined {
  const ascii = headText(head.subarray(0, 64));
  if (ascii.startsWith('\x7fELF')) return 'an ELF program or library';
  if (ascii.startsWith('BZh')) return 'bzip2 data; unpack it first';
  if (ascii.startsWith('\xfd7zXZ')) return 'xz data; unpack it first';
  if (ascii.startsWith('\x28\xb5\x2f\xfd')) return 'zstd data; unpack it first';
  if (ascii.startsWith('PK\x03\x04')) return 'a zip archive';
  if (ascii.startsWith('PERFILE2')) return 'perf.data of Linux perf';
  return undefined;
}
