// Mouse reports among the keys: taken out wherever chunks end, whatever they hold; what is left are the keys.
import assert from 'node:assert/strict';
import { emitKeypressEvents } from 'node:readline';
import { Readable } from 'node:stream';
import test from 'node:test';
import fc from 'fast-check';
import { InputDecoder } from '../../src/tui/input-decoder.ts';
import type { PointerAction } from '../../src/tui/mouse.ts';
import { type Keypress, keyName } from '../../src/tui/terminal.ts';

/** The keys and reports of chunks, in order; pasted text is one entry. */
function heard(chunks: readonly (string | Buffer)[], mouse = true): (string | PointerAction)[] {
  const out: (string | PointerAction)[] = [];
  const keys = new Readable({ read() {} });
  let pasted: string | undefined;
  emitKeypressEvents(keys);
  keys.on('keypress', (typed: string | undefined, key: Keypress) => {
    if (key.name === 'paste-start') pasted = '';
    else if (key.name === 'paste-end') {
      out.push(`pasted ${pasted}`);
      pasted = undefined;
    } else if (pasted !== undefined) pasted += typed ?? key.sequence ?? '';
    else {
      const name = keyName(typed, key);
      if (name !== undefined) out.push(name);
    }
  });
  const decoder = new InputDecoder(mouse);
  for (const chunk of chunks)
    for (const piece of decoder.read(Buffer.from(chunk), () => pasted !== undefined))
      if (Buffer.isBuffer(piece)) keys.emit('data', piece);
      else if ('type' in piece) out.push(piece);
      else if (piece.kind === 'esc') out.push('esc');
      // No key; test/tui/capabilities.test.ts has it.
      else if (piece.kind === 'status') continue;
      else out.push(`reply ${piece.text}`);
  return out;
}

const press = (x: number, y: number): PointerAction => ({ type: 'click', x, y });
const wheel = (by: 1 | -1, x: number, y: number): PointerAction => ({ type: 'wheel', by, x, y });

test('reports are told in their order among the keys, cells from 0', () => {
  assert.deepEqual(heard(['j\u001b[<0;12;5Mk\u001b[<0;12;5m\u001b[<65;1;1Mé\u001b[B']), [
    'j',
    press(11, 4),
    'k',
    wheel(1, 0, 0),
    'é',
    'down',
  ]);
});

test('terminals that know no decimal reports send three bytes', () => {
  assert.deepEqual(heard([Buffer.from('j\u001b[M \u00ff\u0021\u001b[M#!!\u001b[Ma!!k', 'latin1')]), [
    'j',
    press(222, 0),
    wheel(1, 0, 0),
    'k',
  ]);
});

test('chunks may end anywhere', () => {
  const text = 'aé\u001b[<0;12;5M\u001b[A\u001b[<64;200;60Mb\u001b[200~x\u001b[<0;1;1My\u001b[201~\u001b[<0;3;3mc\u001bOPd';
  const bytes = Buffer.from(text);
  const whole = heard([bytes]);
  assert.equal(whole.length, 10);
  for (let cut = 1; cut < bytes.length; cut++)
    assert.deepEqual(heard([bytes.subarray(0, cut), bytes.subarray(cut)]), whole, `cut at ${cut}`);
  assert.deepEqual(heard(Array.from(bytes, (_, i) => bytes.subarray(i, i + 1))), whole, 'byte by byte');
});

test('garbled reports are no keys and no clicks', () => {
  for (const text of [
    '\u001b[<M',
    '\u001b[<0;1M',
    '\u001b[<0;1;1;1M',
    '\u001b[<-1;1;1M',
    '\u001b[<0;0;1M',
    '\u001b[<0;1;0M',
    '\u001b[<0;1;1q',
    '\u001b[<0;99999999999999999999;1M',
    `\u001b[<0;1;${'1'.repeat(100_000)}M`,
    `\u001b[<${';'.repeat(1000)}M`,
    '\u001b[<0 1 1!M',
    '\u001b[<32;1;1M',
    '\u001b[<35;4;4M',
    '\u001b[<64;1;1m',
    '\u001b[M\u001b[M',
    '\u001b[<0;12\u001b[<0;12;\u001b[<',
  ])
    assert.deepEqual(heard([text]), [], JSON.stringify(text.slice(0, 60)));
  // What cannot be part of a report ends it.
  assert.deepEqual(heard(['\u001b[<0;12\u0003\u001b[<0;1\u001b[Bj']), ['ctrl-c', 'down', 'j']);
  assert.deepEqual(heard(['\u001b[1;\u001b[<0;2;2M']), [press(1, 1)]);
});

test('any digits, semicolons and letters after the beginning of a report: nothing is a key but what follows', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9;:<=>? -/]{0,60}[@-~]$/), fc.array(fc.nat(70), { maxLength: 5 }), (body, cuts) => {
      const text = `\u001b[<${body}k`;
      const ends = [...cuts.map((cut) => cut % text.length), text.length].sort((a, b) => a - b);
      const chunks = ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end));
      assert.deepEqual(
        heard(chunks).filter((h) => typeof h === 'string'),
        ['k'],
      );
    }),
  );
});

test('pasted text may have reports in it: it stays text', () => {
  assert.deepEqual(heard(['\u001b[200~a\u001b[<0;1;1Mb\u001b[M!!!\u001b[201~\u001b[<0;1;1M']), [
    'pasted a\u001b[<0;1;1Mb\u001b[M!!!',
    press(0, 0),
  ]);
});

test('Esc is a key after a while; the rest of a report that comes soon after is no key', () => {
  const decoder = new InputDecoder(true);
  const read = (text: string, ms: number) =>
    [...decoder.read(Buffer.from(text), () => false, ms)].map((p) =>
      Buffer.isBuffer(p) ? `${p}` : 'type' in p ? p.type : p.kind,
    );
  assert.deepEqual(read('j\u001b', 0), ['j']);
  assert.equal(decoder.isWaiting, true);
  assert.deepEqual(decoder.flush(40), { kind: 'esc' });
  assert.equal(decoder.isWaiting, false);
  assert.deepEqual(read('[<0;1;1Mj', 90), ['click', 'j']);
  assert.deepEqual(read('\u001b', 1000), []);
  decoder.flush(1040);
  assert.deepEqual(read('[', 2000), ['[']);
  assert.deepEqual(read('\u001b[', 3000), []);
  assert.equal(decoder.isWaiting, false);
  assert.deepEqual(read('A', 3300), ['\u001b[A']);
  // A sequence that never ends is given up.
  assert.deepEqual(read('\u001b[', 4000), []);
  assert.deepEqual(read('jk', 9000), ['jk']);
});

test('Esc and a key in one read are both keys, and Ctrl-C always is', () => {
  assert.deepEqual(heard(['\u001bj']), ['esc', 'j']);
  assert.deepEqual(heard(['\u001b\u0003']), ['esc', 'ctrl-c']);
  assert.deepEqual(heard(['jjj\u001b\u001b\u0003k']), ['j', 'j', 'j', 'esc', 'esc', 'ctrl-c', 'k']);
  for (const start of ['[', '[1;', 'O', ']11;rgb:', 'P1$r', '_G'])
    assert.deepEqual(heard([`\u001b${start}\u0003j`]), ['ctrl-c', 'j'], start);
});

test('the left button clicks and the wheel scrolls; all else is left to the terminal', () => {
  const of = (code: number, end = 'M') => heard([`\u001b[<${code};4;5${end}`]);
  assert.deepEqual(of(0), [press(3, 4)]);
  assert.deepEqual(of(64), [wheel(-1, 3, 4)]);
  assert.deepEqual(of(65), [wheel(1, 3, 4)]);
  // The wheel to the left and right, other buttons, and Shift, Ctrl and Alt.
  for (const code of [66, 67, 1, 2, 22, 128, 129, 4, 16, 72]) assert.deepEqual(of(code), [], `${code}`);
  assert.deepEqual(of(0, 'm'), [], 'a release');
});

const REPLY = '11;rgb:1e1e/2a2a/FFFF';

test('what the terminal answers about its background is taken out, wherever it is cut, and no key is lost or in another place', () => {
  for (const mouse of [false, true])
    for (const end of ['\u0007', '\u001b\\']) {
      const text = `ab\u001b[B\u001b]${REPLY}${end}c]1\u001b[A`;
      const whole = ['a', 'b', 'down', `reply ${REPLY}`, 'c', ']', '1', 'up'];
      for (let cut = 0; cut <= text.length; cut++)
        for (let again = cut; again <= text.length; again++)
          assert.deepEqual(
            heard([text.slice(0, cut), text.slice(cut, again), text.slice(again)], mouse),
            whole,
            `cut at ${cut} and ${again}`,
          );
    }
});

test('a reply whose Esc was taken for a key is still no keys', () => {
  const decoder = new InputDecoder(false);
  const read = (text: string, ms: number) =>
    [...decoder.read(Buffer.from(text), () => false, ms)].map((p) =>
      Buffer.isBuffer(p) ? `${p}` : 'type' in p ? p.type : p.kind,
    );
  assert.deepEqual(read('\u001b', 0), []);
  assert.deepEqual(decoder.flush(40), { kind: 'esc' });
  assert.deepEqual(read(`]${REPLY}\u0007j`, 80), ['reply', 'j']);
});

/** Sequences that are no keys: answers to questions of other programs, reports nobody asked for. */
const foreign = fc.oneof(
  fc.constantFrom(
    '\u001b[?62;22c',
    '\u001b[?2026;2$y',
    '\u001b[24;80R',
    '\u001b[0n',
    '\u001b[I',
    '\u001b[O',
    '\u001b[>0;276;0c',
    '\u001b[97;5u',
  ),
  fc.stringMatching(/^[<=>?][0-9;]{0,30}[ -/]{0,2}[@-Zf-z]$/).map((body) => `\u001b[${body}`),
  fc
    .tuple(
      fc.constantFrom(']', 'P', '_', '^', 'X'),
      fc.stringMatching(/^[ -Z^-~]{0,400}$/).filter((body) => !/^1[0-2];/.test(body)),
      fc.constantFrom('\u0007', '\u001b\\'),
    )
    .map(([kind, body, end]) => `\u001b${kind}${body}${kind === ']' ? end : '\u001b\\'}`),
);
const plainKey = fc.constantFrom('j', 'q', 'G', '\u001b[A', '\u001b[6~', '\u001bOP', ']', '[', '1', 'M', 'c', 'R', '\u0004');

test('foreign sequences in any pieces between keys: only the keys count', () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.array(fc.oneof(plainKey, foreign), { maxLength: 12 }),
      fc.array(fc.nat(4000), { maxLength: 6 }),
      (mouse, parts, cuts) => {
        const text = `${parts.join('')}z`;
        const keys = parts.filter(
          (part) => part.length < 5 && !/^\u001b(?:\[[IO]|\[0n)$/.test(part) && !/^\u001b[\]P_^X]/.test(part),
        );
        const wanted = heard([`${keys.filter((part) => !/^\u001b\[[<=>?]/.test(part)).join('')}z`], mouse);
        const ends = [...cuts.map((cut) => cut % text.length), text.length].sort((a, b) => a - b);
        assert.deepEqual(
          heard(
            ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end)),
            mouse,
          ),
          wanted,
        );
      },
    ),
    { numRuns: 500 },
  );
});
