// The sentence above the findings, and their order: programs whose answer is known.
import assert from 'node:assert/strict';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { runToEnd } from '../../src/base/slices.ts';
import { gatherFindings, selectFindings } from '../../src/findings/gather.ts';
import { evidenceOf } from '../../src/findings/rule.ts';
import { phraseText } from '../../src/findings/say.ts';
import { costSplitSentenceOf } from '../../src/findings/top-down.ts';
import { foldedProfile } from '../support/folded.ts';

type Stacks = readonly (readonly [stack: string, count: number])[];

const analysisOf = (stacks: Stacks) => {
  const profile = foldedProfile(stacks);
  return analyse(profile, profile.events, new Set());
};
const sentence = (stacks: Stacks): string | undefined => {
  const analysis = analysisOf(stacks);
  const said = costSplitSentenceOf(analysis, analysis.events[0]);
  return said && phraseText(said);
};

test('down to where the cost splits, through what starts a program; parts with their largest callee', () => {
  assert.equal(
    sentence([
      ['_start;__libc_start_main;main;run;parse;token', 420],
      ['_start;__libc_start_main;main;run;makeDoc;format', 170],
      ['_start;__libc_start_main;main;run;makeDoc;copy', 160],
      ['_start;__libc_start_main;main;run;destroy', 130],
      ['_start;__libc_start_main;main;run', 100],
      ['_start;__libc_start_main;main;log', 20],
    ]),
    'run: 42.00% parse (42.00% in token), 33.00% makeDoc (17.00% in format), 13.00% destroy and 10.00% itself',
  );
});

test('a routine that calls itself is one frame, whose callees are added up', () => {
  assert.equal(
    sentence([
      ['w;ins;newobject', 6],
      ['w;ins;ins;newobject', 20],
      ['w;ins;ins;ins;newobject', 38],
      ['w;ins;ins', 12],
    ]),
    'ins: 84.21% newobject and 15.79% itself',
  );
});

test('threads are parts of their own, each without what starts it', () => {
  assert.equal(
    sentence([
      ['clone3;start_thread;worker;sum', 600],
      ['_start;__libc_start_main;main;read', 400],
    ]),
    '60.00% worker (60.00% in sum) and 40.00% main (40.00% in read)',
  );
});

test('a library without symbols may start threads', () => {
  assert.equal(
    sentence([
      ['0x... [libstdc++.so.6];std::thread::_State_impl<T>::_M_run;work;sort', 390],
      ['0x... [libstdc++.so.6];std::thread::_State_impl<T>::_M_run;work;index', 220],
      ['__libc_start_call_main;main;parse', 250],
      ['__libc_start_call_main;main;write', 140],
    ]),
    '61.00% work (39.00% in sort) and 39.00% main (25.00% in parse)',
  );
});

test('nothing is said where names are missing, where nothing is called, and of recursion only once', () => {
  assert.equal(
    sentence([
      ['0x1234;0x5678', 90],
      ['0x1234;f', 10],
    ]),
    undefined,
  );
  assert.equal(sentence([['main', 100]]), undefined);
  const deep = Array.from({ length: 5000 }, () => 'fib').join(';');
  assert.match(
    sentence([
      [`main;${deep}`, 90],
      ['main;other', 10],
    ]) ?? '',
    /^main: 90\.00% fib and 10\.00% other$/,
  );
});

test('remarks about the profile come last, and a summary of others is left out', () => {
  const base = { parts: [{ text: 'a', isName: false }], figures: [], why: '', target: { view: '', report: '' }, rule: 'x' };
  const finding = (subject: string, share: number | undefined, isNote: boolean, covers?: readonly string[]) => ({
    ...base,
    parts: [{ text: subject, isName: false }],
    subject,
    isNote,
    ...(share === undefined ? {} : { share }),
    ...(covers ? { covers } : {}),
  });
  const order = selectFindings([
    finding('few samples', undefined, true),
    finding('failed', undefined, false),
    finding('cycle', 0.99, true),
    finding('small', 0.1, false),
    finding('summary', 0.6, false, ['small', 'other']),
    finding('large', 0.5, false),
  ]).map((f) => f.subject);
  assert.deepEqual(order, ['failed', 'large', 'small', 'few samples', 'cycle']);
  // A cycle of all routines is never the first.
  const analysis = analysisOf([
    ['main;a;b;a;b', 80],
    ['main;c', 20],
  ]);
  const found = runToEnd(gatherFindings(evidenceOf(analysis, analysis.events[0], [])));
  const first = found.findIndex((f) => f.isNote);
  assert.ok(found.length > 0 && (first < 0 || found.slice(first).every((f) => f.isNote)));
});
