// Commands before and after a link belong to the link, in every record of a build.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { isOfKind } from '../../src/analysis/answers/analysis.ts';
import { stepName } from '../../src/analysis/answers/steps/steps.ts';
import { basisText } from '../../src/analysis/builds/critical.ts';
import { longestChain } from '../../src/analysis/builds/needs.ts';
import { filesToKeep, readNinjaFile } from '../../src/formats/cmake/ninja-file.ts';
import { stepName as nameOfSnippet } from '../../src/formats/cmake/snippet.ts';
import { loadProfile } from '../../src/io/load.ts';
import { linkCommandOutputs } from '../../src/model/steps/link-commands.ts';
import { FIXTURES } from '../support/fixtures.ts';

async function chainOf(path: string) {
  const profile = await loadProfile([join(FIXTURES, path)]);
  const analysis = analyse(profile, profile.events);
  assert.ok(isOfKind(analysis, 'steps'));
  const chain = longestChain(analysis);
  const { durationUs } = analysis.profile.steps;
  return {
    names: chain.map((i) => stepName(analysis.profile, i)),
    seconds: chain.reduce((sum, i) => sum + durationUs[i], 0) / 1e6,
    basis: basisText(analysis, 'text'),
  };
}

test('both records of a build have one chain, with the commands before and after the link', async () => {
  const kept = await chainOf('cmake/chains/postbuild.json.gz');
  const [first, ...others] = kept.names;
  assert.match(first, /^compile: .*f[34]\.c$/);
  assert.deepEqual(others, ['custom: sleep 2', 'link: b', 'custom: sleep 3', 'link: app', 'custom: sleep 1.5']);
  const log = await chainOf('ninja-log/postbuild/.ninja_log');
  assert.deepEqual(log.names.slice(1), ['libb.so', 'app']);
  // The build took 6.95 s with 4 and with 8 jobs. ninja's own times hold those of the recorder, too.
  assert.ok(
    kept.seconds > 6.6 && kept.seconds < 6.95 && Math.abs(kept.seconds - log.seconds) < 0.15,
    `${kept.seconds} ${log.seconds}`,
  );
});

test('only commands without outputs belong to a link: that of their target and configuration', () => {
  const steps = [
    { role: 'link', target: 'app', config: 'Release', outputs: ['Release/app'] },
    { role: 'link', target: 'app', config: 'Debug', outputs: ['Debug/app'] },
    { role: 'custom', target: 'app', config: 'Release', outputs: [] },
    { role: 'custom', target: 'app', config: 'Release', outputs: ['made.c'] },
    { role: 'custom', target: 'other', config: 'Release', outputs: [] },
    { role: 'custom', target: '', config: '', outputs: [] },
    { role: 'compile', target: 'app', config: 'Release', outputs: [] },
  ];
  const found = linkCommandOutputs(steps.keys(), { text: (name, i) => steps[i][name], outputs: (i) => steps[i].outputs });
  assert.deepEqual([...found], [[2, ['Release/app']]]);
});

test('inputs that ninja learns while it builds are read from dyndep files; without the files they are unknown', async () => {
  const ninja = [
    'build a.o: cxx a.cppm || CXX.dd',
    '  dyndep = CXX.dd',
    'build m.o: cxx m.cpp || CXX.dd order',
    '  dyndep = CXX.dd',
    'build CXX.dd: dd a.ddi m.ddi',
    '  dyndep = ../outside.dd',
    '',
  ].join('\n');
  const dyndep = 'ninja_dyndep_version = 1.0\nbuild a.o | a.pcm: dyndep\n\nbuild m.o: dyndep | a.pcm\n  restat = 1\n';
  const files = (more: Record<string, string>) => (name: string) => {
    const text = { 'build.ninja': ninja, ...more }[name];
    return text === undefined ? undefined : Buffer.from(text);
  };
  const known = readNinjaFile(files({ 'CXX.dd': dyndep }), 'build.ninja', '/b');
  assert.deepEqual(known?.edges.get('/b/m.o')?.inputs, ['/b/m.cpp', '/b/a.pcm', '/b/CXX.dd', '/b/order']);
  assert.equal(known?.edges.get('/b/m.o')?.orderOnly, 2);
  assert.equal(known?.edges.get('/b/a.pcm'), known?.edges.get('/b/a.o'));
  assert.equal(known?.edges.get('/b/m.o')?.dyndep, undefined);
  assert.equal(readNinjaFile(files({}), 'build.ninja', '/b')?.edges.get('/b/m.o')?.dyndep, 'CXX.dd');
  assert.deepEqual(filesToKeep(Buffer.from(ninja), []), ['CXX.dd']);
  const { basis, names } = await chainOf('cmake/chains/modules.json.gz');
  assert.equal(basis, 'build.ninja: dependencies of 5 of 14 steps are unknown');
  assert.ok(names.some((name) => name.startsWith('scan: ')));
  assert.equal(
    nameOfSnippet({ role: 'compile', source: '/s/a.cppm', command: 'g++ -fdeps-file=a.o.ddi -c a.cppm' }),
    'scan: /s/a.cppm',
  );
  assert.equal(nameOfSnippet({ role: 'compile', source: '/s/a.cppm', command: 'g++ -c a.cppm' }), 'compile: /s/a.cppm');
});

test('Ninja Multi-Config: the edges are those of the configurations that were built', () => {
  const files: Record<string, string> = {
    'build.ninja': 'include CMakeFiles/impl-Debug.ninja\nbuild app: phony Debug/app\n',
    'CMakeFiles/impl-Debug.ninja': 'build Debug/app: link Debug/m.o\n',
    'CMakeFiles/impl-Release.ninja': 'build Release/app: link Release/m.o\n',
  };
  const read = (name: string) => (files[name] === undefined ? undefined : Buffer.from(files[name]));
  assert.deepEqual(readNinjaFile(read, 'build.ninja', '/b', ['Release'])?.edges.get('/b/Release/app')?.inputs, [
    '/b/Release/m.o',
  ]);
  assert.equal(readNinjaFile(read, 'build.ninja', '/b', ['../x'])?.edges.get('/b/Release/app'), undefined);
  assert.deepEqual(filesToKeep(Buffer.from(files['build.ninja']), ['Release', '']), ['CMakeFiles/impl-Release.ninja']);
});
