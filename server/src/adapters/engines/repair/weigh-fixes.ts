import type { Turn } from '#adapters/engines/engine.ts'
import { grammarOf, openParser } from '#adapters/engines/syntax/open-parser.ts'
import { isLikely, isOfSeveral, isSilencing } from './candidates/kinds.ts'
import { applyCandidate, dialectOf } from './candidates/make-candidates.ts'
import { SourceFacts } from './candidates/source-facts.ts'
import { type Behavior, callFunctions } from './call-functions.ts'
import { type Fault, readSource } from './find-fault.ts'
import { type Call, findCalls } from './find-calls.ts'
import type { Fix } from './fix.ts'
import { isUnseenInversion } from './is-inverted.ts'
import { leavesUntested } from './leaves-untested.ts'
import type { RepairLimits } from './repair-limits.ts'
import type { Broken } from './run-tests.ts'
import { testId } from './suite.ts'

export type Confidence = 'high' | 'medium' | 'unsure'

/**
 * The fixes, the best first: those that do the same as the most likely ones. `rivals`: how many other things the others do;
 * `isCompared`: whether they were called at all.
 */
export type Weighed = { fixes: Fix[]; rivals: number; share: number; isCompared: boolean; confidence: Confidence }

/** Sets apart changes that pass the same tests, by what they do with values that no test has. */
export async function weighFixes(
  turn: Turn,
  broken: Broken,
  fault: Fault,
  found: Fix[],
  limits: RepairLimits,
): Promise<Weighed> {
  return turn.step(
    { key: `t${turn.number}/weigh`, kind: 'tool', request: { tool: 'compare_changes', changes: found.length } },
    async (signal) => {
      const began = performance.now()
      const { behaviors, original, count } = await observe(turn, broken, fault, found, signal)
      const weighed = weigh(found, behaviors, original, (fix) => testsOf(fault, fix))
      const [first] = weighed.fixes
      const within = { suite: broken.suite, fault, limits, signal }
      if (weighed.confidence !== 'unsure' && (await leavesUntested(turn, first!, within))) weighed.confidence = 'unsure'
      return {
        response: weighed,
        entries: [
          {
            messageType: 'ACTION',
            toolName: 'compare_changes',
            thought: 'That all tests pass does not make a change right: what else do these changes do?',
            toolInput: { changes: found.length, calls: count },
            toolOutput: { rivals: weighed.rivals, confidence: weighed.confidence },
            observation: describe(weighed, found.length, count),
            durationMs: Math.round(performance.now() - began),
          },
        ],
      }
    },
  )
}

function describe({ rivals, isCompared, confidence }: Weighed, changes: number, calls: number): string {
  const compared = isCompared
    ? `${calls} calls with values near those of the tests: ${rivals ? `the ${changes} changes do ${rivals + 1} different things` : 'all of them do the same'}.`
    : 'The changes could not be called apart from the tests.'
  return `${compared} Confidence: ${confidence}.`
}

async function observe(turn: Turn, broken: Broken, fault: Fault, found: Fix[], signal: AbortSignal) {
  const [first] = found
  const source = await readSource(turn, first!.file)
  const grammar = grammarOf(first!.file)
  const functions = await functionsOf(grammar, source)
  const testFiles = [...new Set([...fault.failing, ...fault.passing].map((test) => test.file))]
  const calls: Call[] = []
  for (const file of testFiles.slice(0, 10)) {
    calls.push(...(await findCalls(grammarOf(file), await readSource(turn, file), functions)))
  }
  const run = (text: string) => callFunctions(turn.sandbox, broken.suite, { file: first!.file, text, calls, signal })
  const behaviors: (Behavior | null)[] = []
  for (const fix of found) {
    const isComparable = calls.length > 0 && fix.file === first!.file
    behaviors.push(isComparable ? await run(applyCandidate(source, fix)) : null)
  }
  return { behaviors, original: calls.length ? await run(source) : null, count: calls.length }
}

async function functionsOf(grammar: ReturnType<typeof grammarOf>, source: string): Promise<ReadonlySet<string>> {
  const tree = (await openParser(grammar)).parse(source)
  if (!tree) return new Set()
  const { functions } = new SourceFacts(source, tree.rootNode, dialectOf(grammar))
  tree.delete()
  return new Set(functions)
}

/** How many failing tests run the changed file, and how many passing ones the changed line. */
type Tests = {
  failing: number
  passing: number
  /** Whether tests run the changed file that fail with the change, too. */
  isPartial?: boolean
}

function testsOf(fault: Fault, { file, line, leaves }: Fix): Tests {
  const found = fault.files.find((one) => one.file === file)
  const isPartial = found?.tests.some((test) => leaves.includes(testId(test))) ?? false
  const failing = found?.tests.filter((test) => !test.isPassing).length ?? 0
  return { failing, passing: found?.passing[line] ?? 0, isPartial }
}

/** Any other change that passes is chosen before one of these. */
const SILENCING_WEIGHT = 0.01
/** Of a condition that is the opposite of what it was, where no passing test comes by. */
const UNSEEN_WEIGHT = 0.3

const OTHERS_WEIGHT = 0.2

/** Of many changes that pass, the likeliest say which one is best, and all of them how sure that is. */
const RANKED_MAX = 7

/** `late`: the weights of those that do not rank it. */
type Group = { fixes: Fix[]; behavior: Behavior | null; weights: number[]; late: number[] }

/** Changes that do the same stand together; the heaviest group comes first, and in it the likeliest change. */
export function weigh(
  found: Fix[],
  behaviors: (Behavior | null)[],
  original: Behavior | null,
  testsOf: (fix: Fix) => Tests,
): Weighed {
  const groups: Group[] = []
  for (const [at, fix] of found.entries()) {
    const behavior = behaviors[at] ?? null
    const group = groups.find((one) => behavior && one.behavior && isAlike(one.behavior, behavior))
    // Of what could not be called, an inverted condition has been seen as little as everything else.
    const isUnseen = wasCalled(behavior) && isUnseenInversion(fix, testsOf(fix).passing)
    const weight = weightOf(fix, behavior, original) * (isUnseen ? UNSEEN_WEIGHT : 1)
    const own = group ?? { fixes: [], behavior, weights: [], late: [] }
    own.fixes.push(fix)
    if (at < RANKED_MAX) own.weights.push(weight)
    else own.late.push(weight)
    if (!group) groups.push(own)
  }
  // Stable: of equals, the one that was found first.
  groups.sort((a, b) => together(b.weights) - together(a.weights))
  const weights = new Map(groups.map((group) => [group, together([...group.weights, ...group.late])]))
  const weightOfGroup = (group: Group | undefined) => (group ? weights.get(group)! : 0)
  for (const group of groups) {
    group.fixes.sort((a, b) => Number(isSilencing(a.kind)) - Number(isSilencing(b.kind)))
    group.fixes = plainestFirst(group.fixes)
  }
  const rivals = groups.length - 1
  const share = weightOfGroup(groups[0]) / groups.reduce((sum, group) => sum + weightOfGroup(group), 0)
  const isCompared = behaviors.some(wasCalled)
  const fixes = groups.flatMap((group) => group.fixes)
  const lead = weightOfGroup(groups[0]) / weightOfGroup(groups[1])
  const confidence = judge({ fix: fixes[0]!, rivals, share, lead, isCompared, tests: testsOf(fixes[0]!) })
  return { fixes, rivals, share: Math.round(share * 100) / 100, isCompared, confidence }
}

/** What is the same is written in many ways: the likeliest one counts, and each other a little. */
function together(weights: number[]): number {
  const most = Math.max(0, ...weights)
  return most + OTHERS_WEIGHT * (weights.reduce((sum, weight) => sum + weight, 0) - most)
}

/** The first one may be there in several ways to write it: `a + b + c`, `a + (b + c)`. */
function plainestFirst(fixes: Fix[]): Fix[] {
  const [first] = fixes
  const same = fixes.filter(
    ({ kind, file, line }) => kind === first!.kind && file === first!.file && line === first!.line,
  )
  const brackets = ({ after }: Fix) => after.split('(').length
  const plainest = same.reduce((best, fix) => (brackets(fix) < brackets(best) ? fix : best))
  return [plainest, ...fixes.filter((fix) => fix !== plainest)]
}

/** A change that leaves alone what no test complains about is likelier. */
function weightOf(fix: Fix, behavior: Behavior | null, original: Behavior | null): number {
  const kept = behavior && original ? agreement(behavior, original) : 0.5
  return fix.score * (0.6 + 0.4 * kept) * (isSilencing(fix.kind) ? SILENCING_WEIGHT : 1)
}

/** Of the calls that gave something before, how many give the same; what throws now does not. */
function agreement(now: Behavior, before: Behavior): number {
  const gave = before.flatMap((one, at) => (one === null ? [] : [one === now[at]]))
  return gave.length ? gave.filter(Boolean).length / gave.length : 0.5
}

/** Of the calls that could be made of both, whether they do the same. */
function compare(a: Behavior, b: Behavior): boolean[] {
  return a.flatMap((one, at) => (one !== null && (b[at] ?? null) !== null ? [one === b[at]] : []))
}

function wasCalled(behavior: Behavior | null): boolean {
  return behavior?.some((result) => result !== null) ?? false
}

/** What could not be called at all is like nothing. */
function isAlike(a: Behavior, b: Behavior): boolean {
  const both = compare(a, b)
  return both.length > 0 && both.every(Boolean)
}

type Judge = {
  fix: Fix
  rivals: number
  share: number
  /** How many times as likely it is as the next one that does something else. */
  lead: number
  isCompared: boolean
  tests: Tests
}

const CLEAR_SHARE = 0.7
const SOME_SHARE = 0.55
/** Without a comparison nobody knows whether the others do anything else: the likeliest one has to be so by far. */
const CLEAR_LEAD = 1.25
const FEW_TESTS = 3

/** From how likely the kind is, how many tests look at it, and how much else would pass them. */
export function judge({ fix, rivals, share, lead, isCompared, tests }: Judge): Confidence {
  const count = tests.failing + tests.passing
  const isClear = rivals === 0 || (isCompared ? share >= SOME_SHARE : lead >= CLEAR_LEAD)
  if (isSilencing(fix.kind) || !isClear) return 'unsure'
  // What still fails there is likely to fail for the same mistake, which then is another one.
  if (tests.isPartial) return 'unsure'
  // Where no passing test runs the line, nothing speaks for what the inverted condition does from now on in all other cases.
  if (isUnseenInversion(fix, tests.passing)) return 'unsure'
  // Nothing but these tests has looked at it.
  if (!isCompared && tests.passing < FEW_TESTS) return 'unsure'
  if (isOfSeveral(fix.kind) && (!isLikely(fix) || count < FEW_TESTS)) return 'unsure'
  if (!isLikely(fix) && (rivals > 0 || count < FEW_TESTS || tests.failing < 2)) return 'unsure'
  const isSupported = isLikely(fix) && count >= FEW_TESTS && tests.passing > 0
  const isWhole = fix.leaves.length === 0
  return isSupported && isWhole && isCompared && (rivals === 0 || share >= CLEAR_SHARE) ? 'high' : 'medium'
}
