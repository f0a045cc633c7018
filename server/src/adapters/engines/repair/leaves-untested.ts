import type { Node } from 'web-tree-sitter'
import type { Turn } from '#adapters/engines/engine.ts'
import { grammarOf, openParser } from '#adapters/engines/syntax/open-parser.ts'
import { Bench } from './bench.ts'
import { applyCandidate, dialectOf } from './candidates/make-candidates.ts'
import { type Fault, readSource } from './find-fault.ts'
import type { Fix } from './fix.ts'
import type { RepairLimits } from './repair-limits.ts'
import type { Suite } from './suite.ts'
import { groupByFile } from './trial.ts'

const JOB_MS = 30_000

type Within = { suite: Suite; fault: Fault; limits: RepairLimits; signal: AbortSignal }

/**
 * Whether a condition that a change is part of has only one answer from now on: what depends on it was run by failing tests
 * alone, and they no longer do. Then no test says that it should ever run.
 */
export async function leavesUntested(turn: Pick<Turn, 'sandbox'>, fix: Fix, within: Within): Promise<boolean> {
  const { suite, fault, limits, signal } = within
  if (fault.mode !== 'warm') return false
  const source = await readSource(turn, fix.file)
  const branch = await branchOf(fix, source)
  const passing = fault.files.find(({ file }) => file === fix.file)?.passing ?? {}
  const lines = branch.filter((line) => passing[line] !== undefined)
  if (!lines.length || lines.some((line) => passing[line] !== 0)) return false
  const files = groupByFile(fault.failing)
  const names = files.map(({ file }) => file)
  await using bench = await Bench.open(turn.sandbox, suite, names, signal)
  const { tests } = await bench.run({
    files,
    candidate: { file: fix.file, source: applyCandidate(source, fix) },
    isCovering: true,
    stopsAt: 'end',
    testMs: Math.round(2 * limits.testMs + 20 * Math.max(...fault.failing.map(({ ms }) => ms))),
    totalMs: JOB_MS,
  })
  const ran = new Set(tests.flatMap((test) => test.lines?.[fix.file] ?? []))
  return ran.size > 0 && !lines.some((line) => ran.has(line))
}

/** The lines that run where the changed condition holds, if the change leaves their numbers as they are. */
async function branchOf({ file, start, end, removed, text }: Fix, source: string): Promise<number[]> {
  const grammar = grammarOf(file)
  const tree = removed.split('\n').length === text.split('\n').length ? (await openParser(grammar)).parse(source) : null
  if (!tree) return []
  try {
    for (let at: Node | null = tree.rootNode.descendantForIndex(start, end); at; at = at.parent) {
      const condition = dialectOf(grammar).condition(at)
      if (!condition || condition.startIndex > start || condition.endIndex < end) continue
      const body = at.childForFieldName('consequence') ?? at.childForFieldName('body')
      if (!body) return []
      // What begins in the line of the condition cannot be told from it.
      const from = Math.max(body.startPosition.row, condition.endPosition.row + 1) + 1
      const to = body.endPosition.row + 1
      return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
    }
    return []
  } finally {
    tree.delete()
  }
}
