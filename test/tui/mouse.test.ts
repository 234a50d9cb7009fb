// Mouse reports among the keys: taken out wherever chunks end, whatever they hold; what is left are the keys.
import assert from 'node:assert/strict';
import { emitKeypressEvents } from 'node:readline';
import { Readable } from 'node:stream';
import test from 'node:test';
import fc from 'fast-check';
import { InputDecoder } from '../../src/tui/input-decoder.ts';
import { type Keypress, keyName } from '../../src/tui/key-names.ts';
import { type MouseReport, pointerAction } from '../../src/tui/mouse.ts';

/** The keys and reports of chunks, in order; pasted text is one entry. */
function heard(chunks: readonly (string | Buffer)[], mouse = true): (string | MouseReport)[] {
  const out: (string | MouseReport)[] = [];
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
      else out.push(piece.kind === 'reply' ? `reply ${piece.text}` : piece);
  return out;
}

const NO_KEYS = { shift: false, alt: false, ctrl: false };
const press = (x: number, y: number): MouseReport => ({ kind: 'press', button: 0, x, y, ...NO_KEYS });

test('reports are told in their order among the keys, cells from 0', () => {
  assert.deepEqual(heard(['j\u001b[<0;12;5Mk\u001b[<0;12;5m\u001b[<65;1;1Mé\u001b[B']), [
    'j',
    press(11, 4),
    'k',
    { ...press(11, 4), kind: 'release' },
    { ...press(0, 0), kind: 'wheel', button: 1 },
    'é',
    'down',
  ]);
  const [report] = heard(['\u001b[<22;3;4M']);
  assert.deepEqual(report, { kind: 'press', button: 2, x: 2, y: 3, shift: true, alt: false, ctrl: true });
  const [tenth] = heard(['\u001b[<129;3;4M']);
  assert.deepEqual(tenth, { ...press(2, 3), button: 9 });
});

test('terminals that know no decimal reports send three bytes', () => {
  assert.deepEqual(heard([Buffer.from('j\u001b[M \u00ff\u0021\u001b[M#!!\u001b[Ma!!k', 'latin1')]), [
    'j',
    press(222, 0),
    { ...press(0, 0), kind: 'release', button: 3 },
    { ...press(0, 0), kind: 'wheel', button: 1 },
    'k',
  ]);
});

test('chunks may end anywhere', () => {
  const text = 'aé\u001b[<0;12;5M\u001b[A\u001b[<64;200;60Mb\u001b[200~x\u001b[<0;1;1My\u001b[201~\u001b[<0;3;3mc\u001bOPd';
  const bytes = Buffer.from(text);
  const whole = heard([bytes]);
  assert.equal(whole.length, 11);
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

test('Esc alone is given on after a while; the rest of a report whose Esc came long before is still no key', () => {
  const decoder = new InputDecoder(true);
  const read = (text: string) => [...decoder.read(Buffer.from(text), () => false)].map((p) => (Buffer.isBuffer(p) ? `${p}` : p));
  assert.deepEqual(read('j\u001b'), ['j']);
  assert.equal(decoder.isWaiting, true);
  assert.equal(`${decoder.flush()}`, '\u001b');
  assert.equal(decoder.isWaiting, false);
  assert.deepEqual(read('[<0;1;1Mj'), [press(0, 0), 'j']);
  assert.deepEqual(read('[<0;1;1M'), ['[<0;1;1M']);
  assert.deepEqual(read('\u001b['), []);
  assert.equal(decoder.isWaiting, false);
  assert.deepEqual(read('A'), ['\u001b[A']);
});

test('the left button clicks and the wheel scrolls; all else is left to the terminal', () => {
  assert.deepEqual(pointerAction(press(3, 4)), { type: 'click', x: 3, y: 4 });
  const wheel = (button: number): MouseReport => ({ ...press(3, 4), kind: 'wheel', button });
  assert.deepEqual(pointerAction(wheel(0)), { type: 'wheel', by: -1, x: 3, y: 4 });
  assert.deepEqual(pointerAction(wheel(1)), { type: 'wheel', by: 1, x: 3, y: 4 });
  for (const other of [
    wheel(2),
    wheel(3),
    { ...press(3, 4), button: 1 },
    { ...press(3, 4), kind: 'release' } as const,
    { ...press(3, 4), shift: true },
    { ...press(3, 4), ctrl: true },
    { ...wheel(0), alt: true },
  ])
    assert.equal(pointerAction(other), undefined, JSON.stringify(other));
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

test('a reply whose beginning was taken for a key is still no keys', () => {
  for (const cut of [1, 2]) {
    const bytes = `\u001b]${REPLY}\u0007j`;
    const decoder = new InputDecoder(false);
    const read = (text: string) =>
      [...decoder.read(Buffer.from(text), () => false)].map((p) => (Buffer.isBuffer(p) ? `${p}` : p.kind));
    assert.deepEqual(read(bytes.slice(0, cut)), []);
    assert.equal(decoder.isWaiting, true);
    assert.equal(`${decoder.flush()}`, bytes.slice(0, cut));
    assert.deepEqual(read(bytes.slice(cut)), ['reply', 'j'], `cut at ${cut}`);
  }
});

test('what is no reply is keys: all of them, in their order', () => {
  for (const [text, keys] of [
    ['\u001b]11;rgx', ['1', '1', ';', 'r', 'g', 'x']],
    ['\u001b]11;rgb:0/0/0/0/0/0/0/0/0/0/0/0/0/0', [...'11;rgb:0/0/0/0/0/0/0/0/0/0/0/0/0/0']],
    ['\u001b]1\u001b[Bj', ['1', 'down', 'j']],
    ['\u001b]11;rgb:00\u001b[Bj', [...'11;rgb:00', 'down', 'j']],
    [']11;rgb:0/0/0', [...']11;rgb:0/0/0']],
  ] as const)
    assert.deepEqual(heard([text]), keys, JSON.stringify(text));
  assert.deepEqual(heard([`\u001b[200~\u001b]${REPLY}\u0007\u001b[201~j`]), [`pasted \u001b]${REPLY}\u0007`, 'j']);
});
