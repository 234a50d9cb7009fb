// The formats. A new one is one new file and one line here.
import { aprof } from './aprof/index.ts';
import { cachegrind, callgrind } from './callgrind/index.ts';
import { gperftools } from './gperftools/index.ts';
import type { Loader } from './loader.ts';

export const loaders: readonly Loader[] = [callgrind, cachegrind, gperftools, aprof];
