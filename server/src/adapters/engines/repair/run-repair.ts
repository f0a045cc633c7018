import { type Answer, EngineError, type Turn } from '#adapters/engines/engine.ts'
import { applyFix, undoFix } from './apply-fix.ts'
import { findFault } from './find-fault.ts'
import { installTools } from './install-tools.ts'
import type { RepairLimits } from './repair-limits.ts'
import { type Broken, failingTests, findBroken } from './run-tests.ts'
import { type Search, searchFix } from './search-fix.ts'
import { testId } from './suite.ts'
import { verifyFix } from './verify-fix.ts'
import { weighFixes } from './weigh-fixes.ts'
import { writeAnswer } from './write-answer.ts'

/** Looks for the change, tries it, and says what it is. */
export async function runRepair(turn: Turn, limits: RepairLimits): Promise<Answer> {
  await sayPlan(turn)
  await installTools(turn.sandbox)
  const broken = await findBroken(turn, limits)
  const fault = await findFault(turn, broken, limits)
  const search = await searchFix(turn, broken, fault, limits)
  if (!search.found.length) throw noFix(broken, search)
  const weighed = await weighFixes(turn, broken, fault, search.found, limits)
  for (const [attempt, fix] of weighed.fixes.entries()) {
    await applyFix(turn, fix, attempt)
    const verification = await verifyFix(turn, { broken, fault, fix }, limits, attempt)
    if (verification.isFixed) return writeAnswer(broken, search, weighed, { fix, verification, attempt })
    await undoFix(turn, fix, attempt)
  }
  throw noFix(broken, search)
}

async function sayPlan(turn: Turn): Promise<void> {
  const plan = [
    'Run the tests and see which fail',
    'Find the lines that failing tests run and passing tests do not',
    'Try small changes there, the likely ones first, until every test passes',
    'Compare the changes that do, by what else they change',
    "Check the best one with the project's own test command, in fresh processes",
  ]
  await turn.note(`t${turn.number}/plan`, [
    {
      messageType: 'PLAN_EVALUATION',
      thought:
        'This run uses the repair engine: no model, it looks for a small change that makes the failing tests pass. ' +
        'It does not understand the prompt, and what it finds must be reviewed by a person.',
      observation: plan.map((line, at) => `${at + 1}. ${line}`).join('\n'),
    },
  ])
}

function noFix(broken: Broken, search: Search): EngineError {
  const failed = failingTests(broken).map(testId)
  const shown = failed.slice(0, 5).join('; ') + (failed.length > 5 ? `; and ${failed.length - 5} more` : '')
  const where = search.files.length ? ` in ${search.files.slice(0, 10).join(', ')}` : ''
  const end = search.isExhausted ? 'every candidate was tried' : 'the time for the search was over'
  const unheld = search.found.length
    ? ` ${search.found.length} of them passed at first, but did not hold with \`${broken.suite.command}\`.`
    : ''
  return new EngineError(
    'no_fix_found',
    `No small change makes the failing tests pass: ${search.tried} were tried${where} in ` +
      `${Math.round(search.seconds)} s (${end}).${unheld} Failing: ${shown}. The workspace is as it was. A fault that ` +
      'needs several changes or new code is beyond this engine; a model can be configured for it.',
  )
}
