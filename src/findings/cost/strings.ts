// String handling.
import { codeRule } from './code-rule.ts';

export const strings = codeRule('strings');
