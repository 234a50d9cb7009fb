// A profile that takes the place of another of the same run.
import { analyse } from '../analysis/analysis.ts';
import { allEvents } from '../analysis/events.ts';
import { routineFile, routineName } from '../analysis/names.ts';
import type { Profile } from '../model/profile.ts';
import { viewsOf } from '../views/index.ts';
import { enter } from './places.ts';
import { type AppState, cursorRoutine, say } from './state.ts';

export interface Loaded {
  readonly profile: Profile;
  readonly derive: readonly string[];
  readonly siblings: readonly string[];
  readonly why: string;
}

/** Another load of the same run: the cursor, the focus and the marks go to the routines of the same name. */
export function replaceProfile(state: AppState, a: Loaded): AppState {
  const old = state.analysis.profile;
  const key = (p: Profile, r: number) => `${routineName(p, r)}\n${routineFile(p, r)}`;
  const wanted = new Map<string, number>();
  for (let r = a.profile.routines.name.length - 1; r >= 0; r--) wanted.set(key(a.profile, r), r);
  const twin = (r: number) => (r < 0 ? -1 : (wanted.get(key(old, r)) ?? -1));
  const analysis = analyse(a.profile, allEvents(a.profile.events, a.derive));
  const kept = viewsOf(a.profile).some((v) => v.id === state.view);
  const event = analysis.events.some((e) => e.name === state.event) ? state.event : analysis.events[0]!.name;
  const cursor = twin(cursorRoutine(state));
  const states = { ...state.viewStates };
  // These hold row numbers of the old profile; they are made anew around the focus.
  for (const id of ['calls', 'source', 'instrs']) delete states[id];
  if (states['tree']) delete states['tree'];
  const next: AppState = {
    ...state,
    analysis,
    event,
    extraEvents: state.extraEvents.filter((n) => analysis.events.some((e) => e.name === n)),
    view: kept ? state.view : 'routines',
    viewStates: states,
    focus: twin(state.focus),
    back: state.back.map((p) => ({ ...p, focus: twin(p.focus) })),
    forward: [],
    marks: new Map([...state.marks].map(([k, r]): [string, number] => [k, twin(r)]).filter(([, r]) => r >= 0)),
    sources: new Map(),
    disassembly: new Map(),
    siblings: a.siblings,
  };
  const placed = next.view === 'routines' ? enter(next, { view: 'routines', focus: cursor }) : next;
  return say(placed, a.why);
}
