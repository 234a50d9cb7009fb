// The report of distinct stacks. In text, a stack has a line per frame, innermost first, as pprof prints -traces.
import { routineName } from '../analysis/names/names.ts';
import { textOfCell } from '../base/style.ts';
import { plural } from '../base/units.ts';
import { costText, shareCell } from '../columns/costs.ts';
import { costOfStack, labelsText, routinesOfStack, samplesOfStack, stackList } from '../columns/stacks.ts';
import { makeListReport } from './print.ts';

export const stacks = makeListReport({
  ...stackList,
  title: 'each distinct stack of samples with its labels, most expensive first',
  compares: false,
  sorts: ['cost'],
  usual: 'cost',
  table(context) {
    const table = stackList.table(context);
    return { ...table, columns: (c) => table.columns(c).map(({ text, ...column }) => column) };
  },
  sentence(row, context) {
    const { analysis, event } = context;
    const cost = costOfStack(context, row);
    const count = event.unit === 'samples' ? null : samplesOfStack(context, row);
    const facts = [
      `${costText(context, cost)} ${event.name}`,
      count === null ? '' : plural(Number(count), 'sample'),
      labelsText(context, row),
    ];
    const names = routinesOfStack(context, row).map((routine) => routineName(analysis.profile, routine));
    return {
      lead: textOfCell(shareCell(context, Number(cost))),
      parts: [{ text: facts.filter(Boolean).join(' · '), isName: false }],
      detailLines: names.length === 0 ? ['(no frame)'] : names.reverse(),
    };
  },
});
