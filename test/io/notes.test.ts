// Notes beside a profile: a change leaves all else in the file as it is, and what cannot be read is not replaced.
import assert from 'node:assert/strict';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { changeNotes, notesPath, readNotes } from '../../src/io/user/notes.ts';

const folder = mkdtempSync(join(tmpdir(), 'proftui-notes-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const profile = join(folder, 'p.out');
const file = `${profile}.notes.json`;
const of = (routine: string) => ({ routine, file: null, object: null });

test('two who note after each other both have their notes; unknown fields and marks with digits stay', () => {
  changeNotes([profile], [{ ...of('main'), note: 'from A' }]);
  changeNotes([profile], [{ ...of('f'), note: 'from B', mark: '1' }]);
  assert.deepEqual(readNotes([profile]), [
    { ...of('main'), note: 'from A' },
    { ...of('f'), note: 'from B', mark: '1' },
  ]);
  const said = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ team: 'x', notes: [...said.notes, { ...of('g'), note: 'n', author: 'me' }] }));
  changeNotes(
    [profile],
    [
      { ...of('g'), note: 'changed' },
      { ...of('main'), note: '' },
    ],
  );
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), {
    team: 'x',
    notes: [
      { ...of('f'), note: 'from B', mark: '1' },
      { ...of('g'), note: 'changed', author: 'me' },
    ],
  });
  // A mark that is taken away goes with its note.
  changeNotes([profile], [{ ...of('f'), note: 'only this' }]);
  assert.deepEqual(readNotes([profile])[0], { ...of('f'), note: 'only this' });
});

test('a file that is not readable as notes is left as it is', () => {
  for (const text of ['<<<<<<< HEAD\n{"notes":[]}\n', '[]', '{}']) {
    writeFileSync(file, text);
    assert.throws(() => changeNotes([profile], [{ ...of('main'), note: 'x' }]), /expected an object with notes/);
    assert.equal(readFileSync(file, 'utf8'), text);
  }
  rmSync(file);
  symlinkSync('/etc/hostname', file);
  assert.throws(() => changeNotes([profile], [{ ...of('main'), note: 'x' }]));
});

test("notes on a profile in another user's folder are kept in one's own, unless notes are there", () => {
  const state = join(folder, 'state');
  process.env['XDG_STATE_HOME'] = state;
  after(() => delete process.env['XDG_STATE_HOME']);
  const shared = join(folder, 'shared');
  mkdirSync(shared);
  // Only root can give a folder away; / is root's for everybody else.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(shared, 4711, 4711);
  const theirs = join(isRoot ? shared : '/', 'their.out');
  changeNotes([theirs], [{ ...of('main'), note: 'mine', mark: 'a' }]);
  assert.deepEqual(readNotes([theirs]), [{ ...of('main'), note: 'mine', mark: 'a' }]);
  assert.deepEqual(readdirSync(shared), []);
  assert.equal(readdirSync(join(state, 'proftui/notes')).length, 1);
  // Another profile of the same name has its own notes.
  assert.deepEqual(readNotes([join(isRoot ? shared : '/', 'other/their.out')]), []);
  if (!isRoot) return;
  writeFileSync(`${theirs}.notes.json`, JSON.stringify({ notes: [{ ...of('f'), note: 'by all' }] }));
  assert.equal(notesPath([theirs]), `${theirs}.notes.json`);
  assert.deepEqual(readNotes([theirs]), [{ ...of('f'), note: 'by all' }]);
});
