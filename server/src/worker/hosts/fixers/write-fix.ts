import type { JsonObject } from '#base/json.ts'
import { generateSeal, markForeign } from '#base/text/mark-foreign.ts'
import type { StartFix } from '#domain/hosts/fixers/advance-fixer.ts'
import type { MessageEntry } from '#domain/runs/messages/message.ts'
import type { DiagnosedCheck } from './diagnose-checks.ts'

export type WriteFix = { number: number; head: string; checks: DiagnosedCheck[]; fix: StartFix }

/** What the run is told that is to fix checks, and how its log shows that. What checks have printed is foreign text. */
export function writeFix({ number, head, checks, fix }: WriteFix): { prompt: string; entry: MessageEntry } {
  const seal = generateSeal()
  const isFixed = ({ name }: DiagnosedCheck) => fix.checks.includes(name)
  const others = checks.filter((check) => !isFixed(check))
  const prompt = [
    `Checks of your pull request #${number} fail at ${head.slice(0, 12)}. Find out why, and change the files so that they pass.`,
    'Fix the cause: do not weaken, skip or remove checks or tests. What stands between the marks is what the checks have printed.',
    ...checks.filter(isFixed).map((check) => describe(check, seal)),
    ...(others.length ? [`Leave these alone, no change of files fixes them: ${others.map(named).join(', ')}.`] : []),
    ...fix.prompts,
  ].join('\n\n')
  const observation = { head_sha: head, checks: checks.map(shown) }
  return { prompt, entry: { messageType: 'DETECT_PR_ERRORS', observation } }
}

const named = ({ name, verdict }: DiagnosedCheck) => `${inOneLine(name)} (${verdict})`

/** Names are the host's, too. */
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 200)

function describe(check: DiagnosedCheck, seal: string): string {
  const { name, conclusion, command, exitCode, meaning, excerpt } = check
  const how = exitCode === null ? (conclusion ?? 'failed') : `exit code ${exitCode}`
  const about = [`${inOneLine(name)}: ${how}.`, ...(meaning ? [meaning] : [])].join(' ')
  const printed = [...(command === null ? [] : [`$ ${command}`]), excerpt].join('\n')
  return `${about}\n${markForeign(printed, { from: `log of ${inOneLine(name)}`, seal })}`
}

function shown({ name, conclusion, signature, verdict, excerpt }: DiagnosedCheck): JsonObject {
  return { name, conclusion, signature, verdict, excerpt }
}
