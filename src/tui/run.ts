import type { Options } from '../cli/flags.ts';
export async function openScreen(_o: Options, _v: string): Promise<number> { return 0; }
