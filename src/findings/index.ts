// The rules. A new one is one new file and one line here. Findings without a share come first in a list, in this order; the others follow
// by their share. Of two findings with equal share and subject, the first is kept.
import { againstLast } from './builds/against-last.ts';
import { buildChange } from './builds/comparing/build-change.ts';
import { cacheHits } from './builds/comparing/cache-hits.ts';
import { chainGrew } from './builds/comparing/chain-grew.ts';
import { compilesDiffer } from './builds/comparing/compiles-differ.ts';
import { flagsDiffer } from './builds/comparing/flags-differ.ts';
import { jobsDiffer } from './builds/comparing/jobs-differ.ts';
import { slowerHost } from './builds/comparing/slower-host.ts';
import { slowerSteps } from './builds/comparing/slower-steps.ts';
import { stepsAdded } from './builds/comparing/steps-added.ts';
import { testsChanged } from './builds/comparing/tests-changed.ts';
import { compilerChecks } from './builds/compiler-checks.ts';
import { everyBuild } from './builds/every-build.ts';
import { stepsFailed } from './builds/failed-steps.ts';
import { fewJobs } from './builds/few-jobs.ts';
import { header } from './builds/header.ts';
import { idleBetweenStages } from './builds/idle-between.ts';
import { lateStart } from './builds/late-start.ts';
import { linkSteps } from './builds/link-steps.ts';
import { longPhase } from './builds/long-phase.ts';
import { memory } from './builds/memory.ts';
import { narrowEnd } from './builds/narrow-end.ts';
import { notOptimized } from './builds/not-optimized.ts';
import { overloaded } from './builds/overloaded.ts';
import { repeated } from './builds/repeated-compiles.ts';
import { slowSteps } from './builds/slow-steps.ts';
import { slowerSince } from './builds/slower-since.ts';
import { template } from './builds/template.ts';
import { failedTests, flakyTests, testRunFailed, testTime } from './builds/tests.ts';
import { uncached } from './builds/uncached.ts';
import { compilersUnknown } from './builds/unknown-compilers.ts';
import { waitedFor } from './builds/waited-for.ts';
import { allAlike } from './comparing/all-alike.ts';
import { costlierCalls } from './comparing/costlier-calls.ts';
import { exchanged } from './comparing/exchanged.ts';
import { inlinedInto } from './comparing/inlined-into.ts';
import { moreCalls } from './comparing/more-calls.ts';
import { movedCost } from './comparing/moved-cost.ts';
import { newCode } from './comparing/new-code.ts';
import { noise } from './comparing/noise.ts';
import { otherProgram } from './comparing/other-program.ts';
import { totalChange } from './comparing/total-change.ts';
import { calledOften } from './cost/called-often.ts';
import { CODES } from './cost/code-names.ts';
import { codeRule } from './cost/code-rule.ts';
import { cycles } from './cost/cycles.ts';
import { differences } from './cost/differences.ts';
import { fewLines } from './cost/few-lines.ts';
import { fewRoutines } from './cost/few-routines.ts';
import { highSelfCost } from './cost/high-self-cost.ts';
import { inlinedCode } from './cost/inlined-code.ts';
import { oneEdge } from './cost/one-edge.ts';
import { recursion, recursionDepth } from './cost/recursion.ts';
import { startUp } from './cost/start-up.ts';
import { cacheMisses, hotInstruction, mispredictions } from './events/rules.ts';
import { contextsDiffer } from './growth/contexts-differ.ts';
import { grows } from './growth/grows.ts';
import { hiddenInput } from './growth/hidden-input.ts';
import { lawsWorse } from './growth/laws-worse.ts';
import { newerSources } from './profile/newer-sources.ts';
import { cut, doubtful, notRecorded, totalSummary } from './profile/statements.ts';
import type { FindingRule } from './rule.ts';
import { fewSamples } from './sampled/few-samples.ts';
import { linesUnknown, linesUnknownSampled } from './sampled/lines-unknown.ts';
import { namesMissing } from './sampled/names-missing.ts';
import { oneThread } from './sampled/one-thread.ts';

export const rules: readonly FindingRule[] = [
  cut,
  doubtful,
  newerSources,
  totalSummary,
  stepsFailed,
  failedTests,
  flakyTests,
  testRunFailed,
  testsChanged,
  idleBetweenStages,
  overloaded,
  compilersUnknown,
  notOptimized,
  repeated,
  compilerChecks,
  compilesDiffer,
  memory,
  fewSamples,
  buildChange,
  cacheHits,
  uncached,
  slowerHost,
  flagsDiffer,
  jobsDiffer,
  chainGrew,
  otherProgram,
  allAlike,
  totalChange,
  noise,
  notRecorded,
  differences,
  grows,
  contextsDiffer,
  hiddenInput,
  lawsWorse,
  calledOften,
  highSelfCost,
  oneEdge,
  fewRoutines,
  inlinedCode,
  fewLines,
  ...CODES.filter((code) => code !== 'linking').map(codeRule),
  startUp,
  codeRule('linking'),
  recursion,
  recursionDepth,
  cycles,
  cacheMisses,
  mispredictions,
  hotInstruction,
  namesMissing,
  linesUnknownSampled,
  linesUnknown,
  oneThread,
  fewJobs,
  waitedFor,
  lateStart,
  longPhase,
  narrowEnd,
  slowSteps,
  testTime,
  everyBuild,
  slowerSince,
  againstLast,
  header,
  template,
  linkSteps,
  moreCalls,
  costlierCalls,
  newCode,
  movedCost,
  exchanged,
  inlinedInto,
  stepsAdded,
  slowerSteps,
];
