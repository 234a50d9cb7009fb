// Copying and filling memory.
import { codeRule } from './code-rule.ts';

export const copying = codeRule('copying');
