import type { Turn } from '#adapters/engines/engine.ts'
import type { Fix } from './fix.ts'
import type { RepairLimits } from './repair-limits.ts'
import { type Broken, describeFailures, describeResult, leftAside, runsFor, runWhole } from './run-tests.ts'
import { isFixed } from './is-fixed.ts'
import { failedIds, type SuiteResult } from './suite.ts'

export type Verification = { isFixed: boolean; runs: number; passed: number }

/** Runs the project's own command in fresh processes, several times: what was tried in a warm one must hold there too. */
export async function verifyFix(
  turn: Turn,
  broken: Broken,
  fix: Fix,
  limits: RepairLimits,
  attempt: number,
): Promise<Verification> {
  const { suite, before } = broken
  const aside = [...leftAside(broken), ...fix.leaves]
  return turn.step(
    { key: `t${turn.number}/verify/${attempt}`, kind: 'tool', request: { tool: 'run_tests', command: suite.command } },
    async (signal) => {
      const began = performance.now()
      const runs = runsFor(before.seconds, limits)
      const results: SuiteResult[] = []
      while (results.length < runs && results.every((result) => isFixed(before, result, aside))) {
        results.push(await runWhole(turn, suite, limits, signal))
      }
      const last = results.at(-1)!
      const holds = isFixed(before, last, aside)
      const passed = last.tests.length - failedIds(last.tests).length
      return {
        response: { isFixed: holds, runs: results.length, passed },
        entries: [
          {
            messageType: 'ACTION',
            toolName: 'run_tests',
            thought: "The project's own command in fresh processes has the last word.",
            toolInput: { command: suite.command, folder: suite.folder || '.', runs: runs, changed: fix.file },
            toolOutput: { ...describeResult(last), runs: results.length },
            observation: holds
              ? `${passed} tests pass, ${results.length} times in a row.`
              : `The change does not hold:\n\n${describeFailures(last) || last.outputTail}`,
            durationMs: Math.round(performance.now() - began),
          },
        ],
      }
    },
  )
}
