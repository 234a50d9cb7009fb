// Makes a find smaller while the same failure remains: keys, files, then lines, members and bytes of each file.
import { isObject } from '../src/formats/shared/json.ts';
import { type InputFile, toBytes, toText } from './input.ts';
import type { Trial } from './oracle.ts';

/** Whether the failure is still there. */
export type Fails = (trial: Trial) => Promise<boolean>;

/** The smallest list found by leaving out halves, quarters … of it, as long as `fails` and there is time. */
async function fewer<T>(
  list: readonly T[],
  fails: (list: readonly T[]) => Promise<boolean>,
  until: number,
): Promise<readonly T[]> {
  let now = list;
  if (now.length > 0 && (await fails([]))) return [];
  for (let size = Math.ceil(now.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < now.length && Date.now() < until; ) {
      const less = [...now.slice(0, at), ...now.slice(at + size)];
      if (less.length > 0 && (await fails(less))) now = less;
      else at += size;
    }
  }
  return now;
}

export async function shrink(given: Trial, fails: Fails, until: number): Promise<Trial> {
  let trial = given;
  const attempt = async (next: Trial) => {
    const still = Date.now() < until && (await fails(next));
    if (still) trial = next;
    return still;
  };
  await attempt({ ...trial, plan: { ...trial.plan, compare: false } });
  await attempt({ ...trial, plan: { ...trial.plan, reports: 0 } });
  await fewer(trial.plan.keys, (keys) => attempt({ ...trial, plan: { ...trial.plan, keys } }), until);
  await fewer(
    trial.input.files,
    (files) => {
      // Opened files are not taken away one for another.
      const { opened } = trial.input;
      return files.length >= Math.max(1, opened) ? attempt({ ...trial, input: { files, opened } }) : Promise.resolve(false);
    },
    until,
  );
  for (let round = 0, before = -1; round < 3 && before !== total(trial); round++) {
    before = total(trial);
    for (let at = 0; at < trial.input.files.length; at++) {
      const put = (bytes: Uint8Array) => {
        const files: InputFile[] = [...trial.input.files];
        files[at] = { ...files[at], bytes };
        return attempt({ ...trial, input: { ...trial.input, files } });
      };
      await shrinkFile(trial.input.files[at].bytes, put, until);
    }
  }
  return trial;
}

const total = ({ input }: Trial) => input.files.reduce((sum, f) => sum + f.bytes.length, 0);

async function shrinkFile(given: Uint8Array, put: (bytes: Uint8Array) => Promise<boolean>, until: number): Promise<void> {
  let text = toText(given);
  const attempt = async (next: string) => {
    const still = await put(toBytes(next));
    if (still) text = next;
    return still;
  };
  const pieces = async (separator: string) => {
    if (text.includes(separator)) await fewer(text.split(separator), (list) => attempt(list.join(separator)), until);
  };
  await pieces('\n');
  await shrinkJson(text, attempt, until);
  await pieces(' ');
  // Long names and long runs of bytes.
  for (let size = 1 << 12; size >= 1 && Date.now() < until; size >>= 1) {
    if (size > text.length || (size < 8 && text.length > 3000)) continue;
    for (let at = 0; at < text.length && Date.now() < until; )
      if (!(await attempt(text.slice(0, at) + text.slice(at + size)))) at += size;
  }
}

/** Members and elements left out, and values replaced by what is inside them. */
async function shrinkJson(text: string, attempt: (text: string) => Promise<boolean>, until: number): Promise<void> {
  let root: unknown;
  try {
    root = JSON.parse(Buffer.from(text, 'latin1').toString('utf8'));
  } catch {
    return;
  }
  const write = () => Buffer.from(JSON.stringify(root)).toString('latin1');
  if (!(await attempt(write()))) return;
  const visit = async (node: unknown): Promise<void> => {
    if (Array.isArray(node)) {
      for (let i = node.length - 1; i >= 0 && Date.now() < until; i--) {
        const [taken] = node.splice(i, 1);
        if (await attempt(write())) continue;
        node.splice(i, 0, taken);
        await visit(taken);
      }
    } else if (isObject(node)) {
      for (const key of Object.keys(node)) {
        if (Date.now() >= until) return;
        const taken = node[key];
        Reflect.deleteProperty(node, key);
        if (await attempt(write())) continue;
        Object.defineProperty(node, key, { value: taken, enumerable: true, configurable: true, writable: true });
        await visit(taken);
      }
    }
  };
  await visit(root);
}
