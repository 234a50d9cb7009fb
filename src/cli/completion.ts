// --completion: writes completion scripts for shells, from the table of flags and the registries.
import { loaders } from '../formats/index.ts';
import { reports } from '../reports/index.ts';
import { CMAKE_COMMAND } from './cmake.ts';
import type { FlagSpec } from './flag-spec.ts';
import { flagSpecs } from './flag-table.ts';

export const completionText = (shell: keyof typeof SCRIPT_WRITERS): string => SCRIPT_WRITERS[shell]().join('\n');

/** The possible values of a flag; undefined if it takes a path or free text. */
function completionWords({ completes }: FlagSpec): readonly string[] | undefined {
  if (completes === 'view') return reports.map((r) => r.name);
  if (completes === 'format') return loaders.map((l) => l.name);
  if (completes === 'column') return [...new Set(reports.flatMap((r) => r.sorts))].filter((name) => name !== 'EVENT');
  return typeof completes === 'object' ? completes : undefined;
}

/** The kind of a flag's value, and its possible values. Those of --event are the events of the file on the command line. */
function completionOf(flag: FlagSpec): { kind: 'event' | 'words' | 'folder' | 'file' | 'text'; words: string } {
  const words = completionWords(flag);
  const place = flag.completes === 'folder' || flag.completes === 'file' ? flag.completes : 'text';
  return { kind: flag.name === 'event' ? 'event' : words ? 'words' : place, words: words?.join(' ') ?? '' };
}
/** Prints the events of a file. */
const EVENTS_COMMAND = 'proftui --completion events';

const flagWords = (flag: FlagSpec) => [...(flag.short ? [`-${flag.short}`] : []), `--${flag.name}`];

function bashScript(): string[] {
  const valued = flagSpecs.filter((f) => f.type !== 'boolean');
  const line = (flag: FlagSpec) => {
    const { kind, words } = completionOf(flag);
    const what = { event: '-W "$(_proftui_events)"', words: `-W '${words}'`, folder: '-d', file: '-f', text: '' }[kind];
    const reply = what === '' ? 'compopt +o default' : `mapfile -t COMPREPLY < <(compgen ${what} -- "$cur")`;
    return `    --${flag.name}) ${reply}; return ;;`;
  };
  const word = (back: string) => `"\${COMP_WORDS[COMP_CWORD${back}]}"`;
  return [
    '# proftui --completion bash > ~/.local/share/bash-completion/completions/proftui',
    '_proftui_events() {',
    '  local word',
    `  for word in "\${COMP_WORDS[@]:1}"; do`,
    `    if [[ -f $word ]]; then ${EVENTS_COMMAND} "$word" 2>/dev/null; return; fi`,
    '  done',
    '}',
    '_proftui() {',
    `  local cur=${word('')} prev=${word('-1')}`,
    '  COMPREPLY=()',
    `  if [[ \${COMP_WORDS[1]} == ${CMAKE_COMMAND.word} && $COMP_CWORD -eq 2 ]]; then mapfile -t COMPREPLY < <(compgen -W '${Object.keys(CMAKE_COMMAND.verbs).join(' ')}' -- "$cur"); return; fi`,
    `  if [[ $COMP_CWORD -eq 1 && $cur == c* ]]; then mapfile -t COMPREPLY < <(compgen -W ${CMAKE_COMMAND.word} -- "$cur"; compgen -f -- "$cur"); return; fi`,
    '  # Bash takes the = of --flag=value for a word of its own.',
    `  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${word('-2')}; fi`,
    '  case $prev in',
    ...valued.map(line),
    '  esac',
    `  if [[ $cur == -* ]]; then mapfile -t COMPREPLY < <(compgen -W '${flagSpecs.flatMap(flagWords).join(' ')}' -- "$cur"); fi`,
    '}',
    'complete -o default -o filenames -F _proftui proftui',
  ];
}

function zshScript(): string[] {
  const quoted = (text: string) => text.replaceAll("'", "'\\''");
  const plain = (text: string) => text.replace(/[[\]:\\]/g, '\\$&');
  const spec = (flag: FlagSpec) => {
    const names = flagWords(flag);
    const { kind, words } = completionOf(flag);
    const action = { event: '_proftui_events', words: `(${words})`, folder: '_files -/', file: '_files', text: ' ' }[kind];
    const value = flag.arg === undefined ? '' : `:${plain(flag.arg)}:${action}`;
    const of = (name: string) =>
      `'${flag.many ? '*' : `(${names.join(' ')})`}${name}${flag.arg === undefined ? '' : '='}[${quoted(plain(flag.help))}]${quoted(value)}'`;
    return names.map(of);
  };
  const verbs = Object.entries(CMAKE_COMMAND.verbs).map(([verb, help]) => `'${verb}:${quoted(plain(help))}'`);
  return [
    '#compdef proftui',
    '# proftui --completion zsh > a folder of $fpath, as _proftui',
    '_proftui_events() {',
    '  local word; local -a events',
    `  for word in \${words[2,-1]}; do`,
    `    [[ -f $word ]] && events=(\${(f)"$(${EVENTS_COMMAND} $word 2>/dev/null)"}) && break`,
    '  done',
    '  compadd -a events',
    '}',
    '_proftui_paths() {',
    `  if (( CURRENT == 2 )); then _alternative "words:word:(${CMAKE_COMMAND.word})" "files:path:_files"`,
    `  elif [[ $words[2] == ${CMAKE_COMMAND.word} ]] && (( CURRENT == 3 )); then local -a verbs=(${verbs.join(' ')}); _describe verb verbs`,
    '  else _files; fi',
    '}',
    '_arguments -s \\',
    ...flagSpecs.flatMap(spec).map((line) => `  ${line} \\`),
    "  '*:path:_proftui_paths'",
  ];
}

function fishScript(): string[] {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const line = (flag: FlagSpec) => {
    const { kind, words } = completionOf(flag);
    const [event, path] = [" -x -a '(__proftui_events)'", ' -r -F'];
    const code = { event, words: ` -x -a ${quoted(words)}`, folder: path, file: path, text: ' -x' }[kind];
    const value = flag.arg === undefined ? '' : code;
    return `complete -c proftui${flag.short ? ` -s ${flag.short}` : ''} -l ${flag.name}${value} -d ${quoted(flag.help)}`;
  };
  return [
    '# proftui --completion fish > ~/.config/fish/completions/proftui.fish',
    'function __proftui_events',
    '  for word in (commandline -opc)[2..-1]',
    `    if test -f $word; ${EVENTS_COMMAND} $word 2>/dev/null; return; end`,
    '  end',
    'end',
    ...flagSpecs.map(line),
    `complete -c proftui -n __fish_use_subcommand -a ${CMAKE_COMMAND.word} -d ${quoted(CMAKE_COMMAND.help)}`,
    ...Object.entries(CMAKE_COMMAND.verbs).map(
      ([verb, help]) =>
        `complete -c proftui -n '__fish_seen_subcommand_from ${CMAKE_COMMAND.word}; and not __fish_seen_subcommand_from ${Object.keys(CMAKE_COMMAND.verbs).join(' ')}' -f -a ${verb} -d ${quoted(help)}`,
    ),
  ];
}

const SCRIPT_WRITERS = { bash: bashScript, zsh: zshScript, fish: fishScript };
