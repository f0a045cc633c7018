import type { Turn } from '#adapters/engines/engine.ts'
import type { Fault } from './find-fault.ts'
import type { Fix } from './fix.ts'
import type { RepairLimits } from './repair-limits.ts'
import { type Broken, describeFailures, describeResult, leftAside, runsFor, runWhole } from './run-tests.ts'
import { isFixed } from './is-fixed.ts'
import { failedIds, type SuiteResult } from './suite.ts'

/** `leaves`: tests that fail still, of those that the search could not ask. */
export type Verification = { isFixed: boolean; runs: number; passed: number; leaves?: string[] }

/** Runs the project's own command in fresh processes, several times: what was tried in a warm one must hold there too. */
export async function verifyFix(
  turn: Turn,
  { broken, fault, fix }: { broken: Broken; fault: Fault; fix: Fix },
  limits: RepairLimits,
  attempt: number,
): Promise<Verification> {
  const { suite, before } = broken
  const { unasked = [] } = fault
  const aside = [...leftAside(broken), ...unasked, ...fix.leaves]
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
      const failed = failedIds(last.tests)
      const passed = last.tests.length - failed.length
      const leaves = failed.filter((id) => unasked.includes(id))
      return {
        response: { isFixed: holds, runs: results.length, passed, leaves },
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
