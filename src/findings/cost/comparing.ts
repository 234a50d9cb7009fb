// Comparing.
import { codeRule } from './code-rule.ts';

export const comparing = codeRule('comparing');
