// C++ names as people read them: template arguments folded, scopes for grouping. Names are demangled text, so this reads
// brackets, not grammar; what it cannot read it leaves alone.

const OPERATOR = /operator\s*(?:<<=|>>=|<=>|->\*|<<|>>|<=|>=|->|<|>|\(\))/y;

/** `a<b<c>, d>::f<e>(g<h>)` with arguments deeper than `depth` as `…`: depth 0 gives `a<…>::f<…>(g<…>)`. */
export function foldTemplates(name: string, depth: number): string {
  if (depth < 0 || !name.includes('<')) return name;
  let out = '';
  let level = 0;
  for (let i = 0; i < name.length; i++) {
    const c = name[i];
    if (c === 'o') {
      OPERATOR.lastIndex = i;
      const m = OPERATOR.exec(name);
      if (m) {
        if (level <= depth) out += m[0];
        i += m[0].length - 1;
        continue;
      }
    }
    if (c === '<') {
      if (level <= depth) out += level === depth ? '<…' : '<';
      level++;
    } else if (c === '>' && name[i - 1] !== '-') {
      level = Math.max(0, level - 1);
      if (level <= depth) out += '>';
    } else if (level <= depth) out += c;
  }
  return out;
}

/** The scopes of a name and the name itself, without return type and arguments: `[demo, Matrix<…>, operator*]`. */
export function scopesOf(name: string): string[] {
  const parts: string[] = [];
  let level = 0;
  let start = 0;
  for (let i = 0; i < name.length; i++) {
    const c = name[i];
    if (c === 'o') {
      OPERATOR.lastIndex = i;
      const m = OPERATOR.exec(name);
      if (m && level === 0) {
        parts.push(name.slice(start, i) + m[0]);
        return parts.map((p) => p.trim());
      }
    }
    if (c === '<' || c === '{' || c === '[') level++;
    else if (c === '>' || c === '}' || c === ']') level = Math.max(0, level - 1);
    else if (c === '(') {
      const anonymous = name.startsWith('(anonymous namespace)', i);
      if (level === 0 && !anonymous && i > start) {
        parts.push(name.slice(start, i));
        return parts.map((p) => p.trim());
      }
      if (anonymous && level === 0) i += '(anonymous namespace)'.length - 1;
      else level++;
    } else if (c === ')') level = Math.max(0, level - 1);
    else if (c === ' ' && level === 0 && !/operator\s*$/.test(name.slice(0, i))) {
      // What came before a blank outside brackets is the return type.
      parts.length = 0;
      start = i + 1;
    } else if (c === ':' && name[i + 1] === ':' && level === 0) {
      parts.push(name.slice(start, i));
      start = i + 2;
      i++;
    }
  }
  parts.push(name.slice(start));
  return parts.map((p) => p.trim());
}

/** The outermost scope; `(none)` for names without. */
export function namespaceOf(name: string): string {
  const scopes = scopesOf(name);
  return scopes.length > 1 ? scopes[0] : '(none)';
}

/** All scopes: the class of a member, the namespace of a function. */
export function classOf(name: string): string {
  const scopes = scopesOf(name);
  return scopes.length > 1 ? scopes.slice(0, -1).join('::') : '(none)';
}

/**
 * The function of a routine: Callgrind tells levels of recursion (`f'2`) and, with --separate-callers, callers apart
 * (`f'main'(below main)`). Lambdas of clang, `main::'lambda'()`, have quotes of their own.
 */
export function functionOf(name: string): string {
  let level = 0;
  for (let i = 1; i < name.length; i++) {
    const c = name[i];
    if (c === '<' || c === '(' || c === '{' || c === '[') level++;
    else if ((c === '>' && name[i - 1] !== '-') || c === ')' || c === '}' || c === ']') level = Math.max(0, level - 1);
    else if (c === "'" && name[i - 1] === ':') i = Math.max(i, name.indexOf("'", i + 1));
    else if (c === "'" && level === 0) return name.slice(0, i);
  }
  return name;
}
