// Keys that did something in the last release: for one release, they name their successor, where the profile has it.

const GONE = new Map(
  Object.entries({
    x: '] goes to the hottest place',
    X: '] and [ go along the critical path',
    h: '] goes to the next hot line',
    H: 'Tab or :history leads to History',
    L: 'o has the options of Gantt and Curve; Lines is 8',
    F: 'o in Gantt, or :waterfall, leads to Waterfall; o has the options of views',
    Y: 'Tab or :tests leads to Tests',
    Q: 'Tab or :targets leads to Targets',
    '#': 'Tab or :changes leads to Changes',
    w: 'o lists what the view can do',
    f: 'o lists what the view can do',
    a: 'o lists what the view can do',
    A: 'o lists what the view can do',
    ';': 'o has the next gap',
    C: 'E copies the command',
    P: 'E writes the view',
    D: 'v defines an event',
    $: 'v adds the column',
    O: 'S has only-own',
    Z: 'S undoes the last change',
    '~': 'S has the saved focus',
    U: 'o shows addresses without a symbol, or groups them',
    K: 'o shows the source',
    M: 'o merges the other files of the run',
    J: 'o accepts the suggested rename',
    _: '| changes between beside, below and one view',
    i: 's sorts by any column',
  }),
);

/** The view that the successor leads to or belongs to. */
const VIEWS = new Map(
  Object.entries({ H: 'history', F: 'gantt', Y: 'tests', Q: 'targets', '#': 'changes', K: 'source', ';': 'instrs' }),
);

/** The successor of a key of the last release; undefined for a key that did nothing, or whose successor needs a view that the profile lacks. */
export function goneText(key: string, has: (view: string) => boolean): string | undefined {
  const now = GONE.get(key);
  const view = VIEWS.get(key);
  return now === undefined || (view !== undefined && !has(view)) ? undefined : `${key} is no longer a key: ${now}`;
}
