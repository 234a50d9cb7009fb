// The dynamic linker.
import { codeRule } from './code-rule.ts';

export const linking = codeRule('linking');
