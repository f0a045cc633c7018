import { quoteWord } from '#base/quote-word.ts'
import type { Runner } from './suite.ts'

export type RunnerFiles = { tools: string; report: string }

/** A runner's command with what makes it report to us; with `files`, it runs these alone where the runner can. */
export function runnerCommand(runner: Runner, text: string, { tools, report }: RunnerFiles, files?: string[]): string {
  const chosen = (files ?? []).map(quoteWord).join(' ')
  switch (runner) {
    case 'jest':
      return `${text} --json --outputFile=${report} --coverage=false${chosen && ` --runTestsByPath ${chosen}`}`
    case 'vitest':
      return `${text} --run --reporter=json --outputFile=${report} --coverage.enabled=false ${chosen}`.trimEnd()
    case 'mocha':
      return `${text} --reporter ${tools}/mocha-reporter.cjs`
    case 'ava':
      return `${text} --tap ${chosen}`.trimEnd()
    case 'node':
      // With arguments of its own it runs what they say.
      return /\s--test$/.test(text.trim()) ? `${text} ${chosen}`.trimEnd() : text
    default:
      return text
  }
}
