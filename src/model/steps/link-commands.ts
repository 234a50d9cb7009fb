// Commands before and after a link: PRE_BUILD, PRE_LINK and POST_BUILD. CMake records them without outputs, but with their target. They are
// part of its link (in Ninja, of the link's own command), in order of their start.

interface StepReader {
  readonly text: (name: 'role' | 'target' | 'config', step: number) => string | null | undefined;
  readonly outputs: (step: number) => readonly string[];
}

/** By step that is such a command: the outputs of its target's link, which it helps to make. */
export function linkCommandOutputs(steps: Iterable<number>, { text, outputs }: StepReader): Map<number, readonly string[]> {
  const targetOf = (step: number) => {
    const target = text('target', step);
    return target ? `${target}\n${text('config', step) ?? ''}` : undefined;
  };
  const linked = new Map<string, Set<string>>();
  const commands: [step: number, target: string][] = [];
  for (const step of steps) {
    const role = text('role', step);
    const target = role === 'link' || role === 'custom' ? targetOf(step) : undefined;
    if (target === undefined) continue;
    const made = outputs(step);
    if (role === 'link') for (const path of made) linked.set(target, (linked.get(target) ?? new Set()).add(path));
    else if (made.length === 0) commands.push([step, target]);
  }
  return new Map(commands.flatMap(([step, target]) => (linked.has(target) ? [[step, [...(linked.get(target) ?? [])]]] : [])));
}
