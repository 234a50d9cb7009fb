// The jumps of a routine, merged by source, target and kind.
import { addToList } from '../../../base/lists.ts';
import { formatAddress } from '../../../base/units.ts';
import { type Index, rowsOfKey } from '../../../model/column.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { Jump, RoutineJumps } from '../costing.ts';

/** The jumps of a routine. `index`: jump rows by routine. */
export function jumpsOfRoutine(profile: ProfileOf<'callgraph'>, index: () => Index, routine: number): RoutineJumps {
  const { jumps, spans } = profile;
  const all: Jump[] = [];
  const byAddress = new Map<string, Jump[]>();
  if (!jumps || routine < 0) return { all, byAddress };
  const known = new Map<string, Jump>();
  for (const i of rowsOfKey(index(), routine)) {
    const span = jumps.span[i];
    const high = spans.high[span];
    const jump: Jump = {
      file: spans.file[span],
      line: jumps.line[i],
      high,
      low: jumps.address?.[i] ?? 0,
      targetFile: jumps.targetFile[i],
      targetRoutine: jumps.targetRoutine?.[i] ?? -1,
      targetLine: jumps.targetLine[i],
      targetHigh: jumps.targetHigh?.[i] ?? high,
      targetLow: jumps.targetAddress?.[i] ?? 0,
      conditional: jumps.conditional[i] === 1,
      taken: jumps.taken[i],
      executed: jumps.executed[i],
    };
    const { targetRoutine: _, taken, executed, ...rest } = jump;
    const key = Object.values(rest).join();
    const same = known.get(key);
    if (same) {
      same.taken += taken;
      same.executed += executed;
      continue;
    }
    known.set(key, jump);
    all.push(jump);
    if (jumps.address) addToList(byAddress, formatAddress(jump.high, jump.low), jump);
  }
  return { all, byAddress };
}
