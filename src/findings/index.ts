// The rules. A new one is one new file and one line here. Findings without a share come first in a list, in this order; the others follow
// by their share. Of two findings with equal share and subject, the first is kept.
import { bottleneckStepRule, lateStartRule } from './builds/advice.ts';
import { slowerThanLastRule } from './builds/against-last.ts';
import { buildChangeRule } from './builds/comparing/build-change.ts';
import { cacheHitsRule } from './builds/comparing/cache-hits.ts';
import { chainGrewRule } from './builds/comparing/chain-grew.ts';
import { compilesDifferRule } from './builds/comparing/compiles-differ.ts';
import { flagsDifferRule } from './builds/comparing/flags-differ.ts';
import { jobsDifferRule } from './builds/comparing/jobs-differ.ts';
import { slowerHostRule } from './builds/comparing/slower-host.ts';
import { slowerStepsRule } from './builds/comparing/slower-steps.ts';
import { stepsAddedRule } from './builds/comparing/steps-added.ts';
import { testsChangedRule } from './builds/comparing/tests-changed.ts';
import { compilePhaseRule } from './builds/compile-phase.ts';
import { compilerChecksRule } from './builds/compiler-checks.ts';
import { rebuiltEveryTimeRule } from './builds/every-build.ts';
import { stepsFailedRule } from './builds/failed-steps.ts';
import { fewJobsRule } from './builds/few-jobs.ts';
import { costlyHeaderRule } from './builds/header.ts';
import { idleBetweenStagesRule } from './builds/idle-between.ts';
import { linkStepsRule } from './builds/link-steps.ts';
import { longPhaseRule } from './builds/long-phase.ts';
import { hostMemoryRule } from './builds/memory.ts';
import { narrowEndRule } from './builds/narrow-end.ts';
import { notOptimizedRule } from './builds/not-optimized.ts';
import { overloadedHostRule } from './builds/overloaded.ts';
import { repeatedCompilesRule } from './builds/repeated-compiles.ts';
import { slowStepsRule } from './builds/slow-steps.ts';
import { slowerSinceRule } from './builds/slower-since.ts';
import { costlyTemplateRule } from './builds/template.ts';
import { failedTestsRule, flakyTestsRule, testRunFailedRule, testTimeRule } from './builds/tests.ts';
import { uncachedCompilesRule } from './builds/uncached.ts';
import { compilersUnknownRule } from './builds/unknown-compilers.ts';
import { warningsRule } from './builds/warnings.ts';
import { allAlikeRule } from './comparing/all-alike.ts';
import { costlierCallsRule } from './comparing/costlier-calls.ts';
import { exchangedWorkRule } from './comparing/exchanged.ts';
import { inlinedFunctionRule } from './comparing/inlined-into.ts';
import { moreCallsRule } from './comparing/more-calls.ts';
import { movedCostRule } from './comparing/moved-cost.ts';
import { newCodeRule } from './comparing/new-code.ts';
import { otherProgramRule } from './comparing/other-program.ts';
import { recordingsDifferRule } from './comparing/recordings-differ.ts';
import { renumberedRule } from './comparing/renumbered.ts';
import { totalChangeRule, totalNoiseRule } from './comparing/totals.ts';
import { calledOftenRule } from './cost/called-often.ts';
import { PURPOSE_IDS } from './cost/code-names.ts';
import { makeCodeRule } from './cost/code-rule.ts';
import { cyclesRule } from './cost/cycles.ts';
import { costDifferencesRule } from './cost/differences.ts';
import { fewLinesRule } from './cost/few-lines.ts';
import { highSelfCostRule } from './cost/high-self-cost.ts';
import { inlinedCodeRule } from './cost/inlined-code.ts';
import { oneEdgeRule } from './cost/one-edge.ts';
import { recursionDepthRule, recursionRule } from './cost/recursion.ts';
import { startUpRule } from './cost/start-up.ts';
import { memoryUseRule } from './events/memory.ts';
import { cacheMissesRule, hotInstructionRule, mispredictionsRule } from './events/rules.ts';
import { contextsDifferRule } from './growth/contexts-differ.ts';
import { steepGrowthRule } from './growth/grows.ts';
import { hiddenInputRule } from './growth/hidden-input.ts';
import { lawsWorseRule } from './growth/laws-worse.ts';
import { newerSourcesRule } from './profile/newer-sources.ts';
import { cutOffRule, doubtfulNumbersRule, totalSummaryRule, unrecordedDataRule } from './profile/statements.ts';
import type { FindingRule } from './rule.ts';
import { fewSamplesRule } from './sampled/few-samples.ts';
import { linesUnknownRule, linesUnknownSampledRule } from './sampled/lines-unknown.ts';
import { namesMissingRule } from './sampled/names-missing.ts';
import { oneThreadRule } from './sampled/one-thread.ts';

export const rules: readonly FindingRule[] = [
  cutOffRule,
  doubtfulNumbersRule,
  newerSourcesRule,
  totalSummaryRule,
  stepsFailedRule,
  failedTestsRule,
  flakyTestsRule,
  testRunFailedRule,
  testsChangedRule,
  idleBetweenStagesRule,
  overloadedHostRule,
  compilersUnknownRule,
  notOptimizedRule,
  repeatedCompilesRule,
  compilerChecksRule,
  compilesDifferRule,
  hostMemoryRule,
  warningsRule,
  fewSamplesRule,
  buildChangeRule,
  cacheHitsRule,
  uncachedCompilesRule,
  slowerHostRule,
  flagsDifferRule,
  jobsDifferRule,
  chainGrewRule,
  recordingsDifferRule,
  renumberedRule,
  otherProgramRule,
  allAlikeRule,
  totalChangeRule,
  totalNoiseRule,
  unrecordedDataRule,
  costDifferencesRule,
  steepGrowthRule,
  contextsDifferRule,
  hiddenInputRule,
  lawsWorseRule,
  calledOftenRule,
  highSelfCostRule,
  oneEdgeRule,
  inlinedCodeRule,
  fewLinesRule,
  ...PURPOSE_IDS.filter((code) => code !== 'linking').map(makeCodeRule),
  startUpRule,
  makeCodeRule('linking'),
  recursionRule,
  recursionDepthRule,
  cyclesRule,
  cacheMissesRule,
  mispredictionsRule,
  hotInstructionRule,
  memoryUseRule,
  namesMissingRule,
  linesUnknownSampledRule,
  linesUnknownRule,
  oneThreadRule,
  fewJobsRule,
  bottleneckStepRule,
  lateStartRule,
  longPhaseRule,
  compilePhaseRule,
  narrowEndRule,
  slowStepsRule,
  testTimeRule,
  rebuiltEveryTimeRule,
  slowerSinceRule,
  slowerThanLastRule,
  costlyHeaderRule,
  costlyTemplateRule,
  linkStepsRule,
  moreCallsRule,
  costlierCallsRule,
  newCodeRule,
  movedCostRule,
  exchangedWorkRule,
  inlinedFunctionRule,
  stepsAddedRule,
  slowerStepsRule,
];
