// Points and calling contexts as text.
import { INPUT_FIELDS, type InputCosts } from './tables.ts';

export function* dumpInputs({ inputs, contexts }: InputCosts): Generator<string> {
  if (contexts)
    for (let c = 0; c < contexts.id.length; c++)
      yield `context ${c} id ${contexts.id[c]} parent ${contexts.parent[c]} end ${contexts.end[c]} routine ${contexts.routine[c]} part ${contexts.part[c]}`;
  for (let i = 0; i < inputs.size.length; i++) {
    const fields = INPUT_FIELDS.flatMap((f) => {
      const column = inputs[f];
      return column ? [`${f} ${inputs.beyond.get(f)?.get(i) ?? column[i]}`] : [];
    });
    const counted = inputs.counted[i] ? '' : ' (not counted)';
    yield `point routine ${inputs.routine[i]} context ${inputs.context[i]} part ${inputs.part[i]} size ${inputs.size[i]}${counted}: ${fields.join(' ')}`;
  }
}
