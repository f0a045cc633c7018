import type { Node } from 'web-tree-sitter'
import type { Turn } from '#adapters/engines/engine.ts'
import { type Grammar, grammarOf, openParser } from '#adapters/engines/syntax/open-parser.ts'
import { applyCandidate, dialectOf } from './candidates/make-candidates.ts'
import { type Fault, readSource } from './find-fault.ts'
import type { Fix } from './fix.ts'
import { LastingBench } from './lasting-bench.ts'
import type { RepairLimits } from './repair-limits.ts'
import type { Suite } from './suite.ts'
import { groupByFile } from './trial.ts'

const JOB_MS = 30_000

type Within = { suite: Suite; fault: Fault; limits: RepairLimits; signal: AbortSignal }

/** Tests that together take longer are not run once more to see what they run. */
const WATCHED_MS = 4_000

/**
 * Whether no test says any more that some of the code should ever run: the only answer of a changed condition led away from
 * what failing tests alone have run, passing tests ran lines that they do not run now, or a changed condition might as well
 * have but one answer.
 */
export async function leavesUntested(turn: Pick<Turn, 'sandbox'>, fix: Fix, within: Within): Promise<boolean> {
  const { suite, fault, limits, signal } = within
  if (fault.mode !== 'warm') return false
  const source = await readSource(turn, fix.file)
  const { passing = {}, tests: covering = [] } = fault.files.find(({ file }) => file === fix.file) ?? {}
  const isSmall = isSmallStep(fix)
  const branch = isSmall ? [] : await branchOf(fix, source)
  const alone = branch.filter((line) => passing[line] === 0)
  const isAlone = alone.length > 0 && branch.every((line) => !passing[line])
  const others = covering.filter((test) => test.isPassing)
  const isWatched = others.length > 0 && others.reduce((sum, { ms }) => sum + ms, 0) <= WATCHED_MS
  if (!isAlone && !isWatched) return false
  const changed = applyCandidate(source, fix)
  const asked = isWatched ? [...fault.failing, ...others] : fault.failing
  const files = groupByFile(asked)
  const names = files.map(({ file }) => file)
  await using bench = await LastingBench.open(turn.sandbox, suite, names, signal)
  const run = async (text: string, isCovering: boolean) => {
    const answer = await bench.run({
      files,
      candidate: { file: fix.file, source: text },
      isCovering,
      stopsAt: isCovering ? 'end' : 'failure',
      testMs: Math.round(2 * limits.testMs + 20 * Math.max(...asked.map(({ ms }) => ms))),
      totalMs: JOB_MS,
    })
    return !answer || answer.timedOut || answer.tests.length < asked.length ? null : answer
  }
  const watched = await run(changed, true)
  if (!watched) return false
  const { tests, imported } = watched
  const ran = new Set(
    [...tests.map(({ lines }) => lines), ...Object.values(imported)].flatMap((lines) => lines?.[fix.file] ?? []),
  )
  if (!ran.size) return false
  if (isAlone && !alone.some((line) => ran.has(line))) return true
  if (!isWatched) return false
  if (linesAfter(fix, passing).some((line) => !ran.has(line))) return true
  for (const text of isSmall ? [] : await withoutCondition(fix, changed)) {
    const answer = await run(text, false)
    if (answer?.tests.every((test) => test.isPassing)) return true
  }
  return false
}

/** The changed file with one answer in place of the condition that the change is part of. */
async function withoutCondition({ file, start, text }: Fix, changed: string): Promise<string[]> {
  const grammar = grammarOf(file)
  const dialect = dialectOf(grammar)
  const answers = await lookAround(grammar, changed, { start, end: start + text.length }, (node, condition) =>
    dialect.isLoop(node)
      ? []
      : [true, false].map((value) =>
          applyCandidate(changed, {
            start: condition.startIndex,
            end: condition.endIndex,
            text: dialect.writeTruth(value),
          }),
        ),
  )
  return answers ?? []
}

/** What passing tests ran apart from the changed lines, by where it stands after the change. */
function linesAfter({ line, removed, text }: Fix, passing: Record<string, number>): number[] {
  const [before, after] = [removed.split('\n').length, text.split('\n').length]
  return Object.entries(passing).flatMap(([key, count]) => {
    const at = Number(key)
    if (!count || (at >= line && at < line + before)) return []
    return [at < line ? at : at + after - before]
  })
}

/** `<` for `<=` and the like still says what the condition is about. */
function isSmallStep({ removed, text }: Fix): boolean {
  return /^[<>]=?$/.test(removed.trim()) && removed.trim()[0] === text.trim()[0]
}

/** The lines that run where the changed condition holds, if the change leaves their numbers as they are. */
async function branchOf({ file, start, end, removed, text }: Fix, source: string): Promise<number[]> {
  if (removed.split('\n').length !== text.split('\n').length) return []
  const lines = await lookAround(grammarOf(file), source, { start, end }, (node, condition) => {
    const body = node.childForFieldName('consequence') ?? node.childForFieldName('body')
    if (!body) return []
    // What begins in the line of the condition cannot be told from it.
    const from = Math.max(body.startPosition.row, condition.endPosition.row + 1) + 1
    const to = body.endPosition.row + 1
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  })
  return lines ?? []
}

/** What `look` says of the condition around a part of a source, and of what it is the condition of; null where there is none. */
async function lookAround<T>(
  grammar: Grammar,
  source: string,
  { start, end }: { start: number; end: number },
  look: (node: Node, condition: Node) => T,
): Promise<T | null> {
  const dialect = dialectOf(grammar)
  const tree = (await openParser(grammar)).parse(source)
  if (!tree) return null
  try {
    for (let at: Node | null = tree.rootNode.descendantForIndex(start, end); at; at = at.parent) {
      const condition = dialect.condition(at)
      if (condition && condition.startIndex <= start && condition.endIndex >= end) return look(at, condition)
    }
    return null
  } finally {
    tree.delete()
  }
}
