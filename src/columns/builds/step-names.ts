// The role and the name of steps: on the screen a column each, so that all names start in one cell.
import { namedRoles, roleAndName, roleBesideName, shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { stepName } from '../../analysis/answers/steps/steps.ts';
import { displayColumn } from '../builders.ts';
import type { Column, ColumnContext } from '../column.ts';

/** Minimum screen width of a column of roles, and its maximum width. */
const [MIN_SCREEN_WIDTH, MAX_WIDTH] = [60, 12];

const hasRoleColumn = ({ analysis, width }: ColumnContext<'steps'>): boolean =>
  width >= MIN_SCREEN_WIDTH && namedRoles(analysis.profile).width > 0;

/** A column of roles, where names are without them. */
export function roleColumn<Row>(
  c: ColumnContext<'steps'>,
  stepOf: (row: Row) => number,
  profile = (_: Row) => c.analysis.profile,
): Column<Row>[] {
  if (!hasRoleColumn(c)) return [];
  const text = (row: Row) => (stepOf(row) < 0 ? '' : roleBesideName(profile(row), stepOf(row)));
  const width = Math.min(MAX_WIDTH, namedRoles(c.analysis.profile).width);
  return [displayColumn('role', text, { width, rank: 8, style: 'dim', only: 'screen' })];
}

/** A step's name for people: as recorded in text. On the screen it is short, without the role that a column or the heading shows. */
export function stepNameText(c: ColumnContext<'steps'>, step: number, { profile } = c.analysis): string {
  if (c.medium === 'text') return stepName(profile, step);
  const isShown = hasRoleColumn(c) || namedRoles(profile).only;
  return isShown ? roleAndName(profile, step)[1] : shortStepName(profile, step);
}
