// Allocating and freeing memory.
import { codeRule } from './code-rule.ts';

export const allocation = codeRule('allocation');
