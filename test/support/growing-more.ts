// Inputs that grow, of formats that are binary or whole folders.
import { PbfWriter } from 'pbf';

/** The file, or files of a folder by their paths. Where a path ends in `/`, that folder is opened, else the first file. */
export type Made = string | Uint8Array | Readonly<Record<string, string | Uint8Array>>;
type Add = (format: string, dimension: string, make: (n: number) => Made, refused?: RegExp) => void;

const list = <T>(n: number, of: (i: number) => T): T[] => Array.from({ length: Math.floor(n) }, (_, i) => of(i));

/** A pprof profile: per sample its locations, innermost first, and labels; per location its functions. */
function pprof(
  samples: readonly { readonly at: readonly number[]; readonly label?: readonly [key: number, text: number] }[],
  locations: readonly (readonly number[])[],
  texts: readonly string[],
): Uint8Array {
  const [file, part, inner] = [new PbfWriter(), new PbfWriter(), new PbfWriter()];
  const numbers = (to: PbfWriter, ...values: readonly number[]) => {
    for (const [k, value] of values.entries()) if (value !== 0) to.writeVarintField(k + 1, value);
  };
  const message = (to: PbfWriter, field: number, from: PbfWriter) => {
    to.writeBytesField(field, from.buf.subarray(0, from.pos));
    from.pos = 0;
  };
  const packed = (field: number, values: readonly number[]) => part.writePackedVarint(field, [...values]);
  const strings = ['', 'samples', 'count', ...texts];
  numbers(part, 1, 2);
  message(file, 1, part);
  for (const { at, label } of samples) {
    packed(1, at);
    packed(2, [1]);
    if (label) {
      numbers(inner, ...label);
      message(part, 3, inner);
    }
    message(file, 2, part);
  }
  locations.forEach((functions, k) => {
    numbers(part, k + 1);
    for (const f of functions) {
      numbers(inner, f, 1);
      message(part, 4, inner);
    }
    message(file, 4, part);
  });
  texts.forEach((_, k) => {
    numbers(part, k + 1, k + 3);
    message(file, 5, part);
  });
  for (const text of strings) file.writeStringField(6, text);
  return file.finish();
}

function pprofs(add: Add): void {
  const names = (n: number) => list(n, (i) => `f${i}`);
  const own = (n: number) => list(n, (i) => [i + 1]);
  add('pprof', 'samples', (n) =>
    pprof(
      list(n, () => ({ at: [1] })),
      [[1]],
      ['f'],
    ),
  );
  add('pprof', 'locations', (n) =>
    pprof(
      list(n, (i) => ({ at: [i + 1] })),
      own(n),
      names(n),
    ),
  );
  add('pprof', 'depth', (n) => pprof([{ at: list(n, (i) => i + 1) }], own(n), names(n)));
  add('pprof', 'recursion', (n) => pprof([{ at: list(n, (i) => (i % 2) + 1) }], own(2), names(2)));
  add('pprof', 'inlined functions of one location', (n) => pprof([{ at: [1] }], [list(n, (i) => i + 1)], names(n)));
  add('pprof', 'values of a label', (n) =>
    pprof(
      list(n, (i) => ({ at: [1], label: [3, i + 4] as const })),
      [[1]],
      ['f', ...names(n)],
    ),
  );
  add('pprof', 'keys of labels', (n) =>
    pprof(
      list(n, (i) => ({ at: [1], label: [i + 4, 3] as const })),
      [[1]],
      ['f', ...names(n)],
    ),
  );
}

/** A profile of gperftools: stacks of addresses, innermost first, and the lines of a memory map. */
function cpuProfile(stacks: readonly (readonly number[])[], map = ''): Uint8Array {
  const words = [0, 3, 0, 10_000, 0, ...stacks.flatMap((stack) => [1, stack.length, ...stack]), 0, 1, 0];
  const head = new BigUint64Array(words.map(BigInt));
  return Buffer.concat([Buffer.from(head.buffer), Buffer.from(map)]);
}

function cpuProfiles(add: Add): void {
  const address = (i: number) => 0x400000 + 16 * i;
  add('gperftools', 'stacks', (n) => cpuProfile(list(n, (i) => [address(i), address(0)])));
  add('gperftools', 'depth', (n) => cpuProfile([list(n, address)]), /stack|deep|frames/);
  add('gperftools', 'lines of the map', (n) =>
    cpuProfile(
      list(n, (i) => [0x400000 + 4096 * i]),
      list(n, (i) => {
        const [from, to] = [0x400000 + 4096 * i, 0x400000 + 4096 * (i + 1)].map((at) => at.toString(16));
        return `${from}-${to} r-xp 00000000 08:01 ${i + 1} /nowhere/o${i}\n`;
      }).join(''),
    ),
  );
}

function dhats(add: Add): void {
  const dhat = (points: readonly object[], frames: readonly string[]) =>
    JSON.stringify({
      ...{ dhatFileVersion: 2, mode: 'ad-hoc', verb: 'Occurred', bklt: false, bkacc: false, bu: 'unit', bsu: 'units' },
      ...{ bksu: 'events', tu: 'instrs', cmd: './a', pid: 7, te: 10, pps: points, ftbl: ['[root]', ...frames] },
    });
  const frames = (n: number) => list(n, (i) => `0x${(i + 1).toString(16)}: f${i} (a.c:${i + 1})`);
  const point = (fs: readonly number[]) => ({ tb: 5, tbk: 2, fs });
  add('dhat', 'program points', (n) =>
    dhat(
      list(n, (i) => point([i + 1, 1])),
      frames(n),
    ),
  );
  add('dhat', 'depth', (n) => dhat([point(list(n, (i) => i + 1))], frames(n)));
  add('dhat', 'points of one stack', (n) =>
    dhat(
      list(n, () => point([1])),
      frames(1),
    ),
  );
}

function testResults(add: Add): void {
  const junit = (inside: string) => `<?xml version="1.0"?>\n<testsuites>${inside}</testsuites>\n`;
  const one = (attributes: string, inside = '') => `<testcase name="a" time="1" ${attributes}>${inside}</testcase>`;
  add('ctest', 'results', (n) => junit(list(n, (i) => `<testcase name="t${i}" classname="C${i % 100}" time="0.1"/>\n`).join('')));
  add('ctest', 'suites inside each other', (n) =>
    junit(`${'<testsuite name="a">'.repeat(n)}${one('')}${'</testsuite>'.repeat(n)}`),
  );
  add('ctest', 'attributes', (n) => junit(one(list(n, (i) => `a${i}="${i}"`).join(' '))));
  add('ctest', 'output', (n) => junit(one('', `<system-out>${'text &amp; more\n'.repeat(n)}</system-out>`)));
  add('ctest', 'output that is no markup', (n) => junit(one('', `<failure><![CDATA[${'<<]]&]\n'.repeat(n)}]]></failure>`)));
  add('ctest', 'a comment', (n) => junit(`<!--${' - -'.repeat(n)}-->${one('')}`));
  add('ctest', 'entities', (n) => junit(one(`classname="${'&lt;&'.repeat(n)}"`)));
}

function markers(add: Add): void {
  const profile = (n: number, of: (i: number) => readonly [start: number | null, end: number | null, phase: number]) => {
    const rows = list(n, of);
    const column = (k: number) => rows.map((row) => row[k]);
    return JSON.stringify({
      ...{ meta: { interval: 1, preprocessedProfileVersion: 62, markerSchema: [] }, libs: [] },
      shared: {
        ...{ stackTable: { length: 1, frame: [0], prefix: [null] }, frameTable: { length: 1, func: [0] } },
        ...{ funcTable: { length: 1, name: [0], resource: [-1] }, resourceTable: { length: 0 }, stringArray: ['main', 'mark'] },
      },
      threads: [
        {
          ...{ name: 'a', pid: '1', tid: '1', samples: { length: 2, stack: [0, 0], time: [0, 2 * n] } },
          markers: { length: n, name: rows.map(() => 1), startTime: column(0), endTime: column(1), phase: column(2), data: [] },
        },
      ],
    });
  };
  add('firefox', 'markers in turn', (n) => profile(n, (i) => [i, i + 0.5, 1]));
  add('firefox', 'markers inside each other', (n) => profile(n, (i) => [i, 2 * n - i, 1]));
  add('firefox', 'markers that start and do not end', (n) => profile(n, (i) => [i, null, 2]));
}

function folders(add: Add): void {
  add('ctest', 'tests', (n) => ({
    't/': '',
    't/Testing/Temporary/LastTest.log': `Start testing: Nov 21 02:03 UTC\n${'-'.repeat(58)}\n${list(
      n,
      (i) =>
        `${i + 1}/${n} Testing: t${i}\n${i + 1}/${n} Test: t${i}\nCommand: "/b/t${i}"\nOutput:\n${'-'.repeat(10)}\n<end of output>\nTest time =   0.01 sec\n${'-'.repeat(10)}\nTest Passed.\n"t${i}" end time: Nov 21 02:03 UTC\n\n`,
    ).join('')}End testing: Nov 21 02:03 UTC\n`,
  }));
  const clang = (events: readonly object[]) => JSON.stringify({ traceEvents: events, beginningOfTime: 1_795_226_608_094_000 });
  const slice = (name: string, ts: number, dur: number, detail = name) => ({
    ...{ pid: 1, tid: 1, ph: 'X', ts, dur, name, args: { detail } },
  });
  const unit = (n: number, events: (i: number) => object) =>
    clang([...list(n, events), slice('ExecuteCompiler', 0, 20 * n), slice('Frontend', 0, 10 * n)]);
  const unitsOf = (text: string) => ({ 't/': '', 't/a.cpp.json': text, 't/b.cpp.json': text });
  add('clang-traces', 'sources in turn', (n) => unitsOf(unit(n, (i) => slice('Source', 10 * i, 9, `/h${i}.h`))));
  add('clang-traces', 'sources inside each other', (n) =>
    unitsOf(unit(n, (i) => slice('Source', i, 10 * n - 2 * i, `/h${i}.h`))),
  );
  add('clang-traces', 'templates', (n) => unitsOf(unit(n, (i) => slice('InstantiateClass', 10 * i, 9, `std::vector<T${i}>`))));
  const data = 'b/.cmake/instrumentation/v1/data';
  const snippet = (i: number, more: object) =>
    JSON.stringify({
      ...{ version: 1, role: 'compile', language: 'C++', command: 'c++', workingDir: '/b', result: 0, target: 'app', config: '' },
      ...{ source: `/s/f${i}.cpp`, outputs: [`f${i}.o`], outputSizes: [1], timeStart: 1.79e12 + i, duration: 5, ...more },
    });
  const build = (n: number, more: (i: number) => object) => {
    const names = list(n, (i) => `compile-${`${i}`.padStart(20, '0')}-2026-11-22T08-00-00-0000.json`);
    const index = JSON.stringify({ version: 1, hook: 'manual', dataDir: '/x', buildDir: '/b', snippets: names });
    return {
      'b/': '',
      [`${data}/index/index-2026-11-22T08-10-00-0000.json`]: index,
      ...Object.fromEntries(names.map((name, i) => [`${data}/${name}`, snippet(i, more(i))])),
    };
  };
  add('cmake', 'steps', (n) => build(n / 4, () => ({})));
  add('cmake', 'targets', (n) => build(n / 4, (i) => ({ target: `t${i}` })));
  add('cmake', 'outputs of a step', (n) => build(1, () => ({ outputs: list(n, (i) => `o${i}`), outputSizes: list(n, () => 1) })));
}

export function addMore(add: Add): void {
  pprofs(add);
  cpuProfiles(add);
  dhats(add);
  folders(add);
  testResults(add);
  markers(add);
}
