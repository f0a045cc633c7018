import { readProse } from './read-prose.ts'

const closing = /\b(?:close[sd]?|fix(?:es|ed)?|resolve[sd]?):?[ \t]#(\d{1,9})\b/gi
const concerning = /\b(?:part of|refs?|references|related to|towards|see):?[ \t]#(\d{1,9})\b/gi

/** The issues of the same repository that a pull request with this text closes by its merge, by the words that GitHub has for it. */
export const findClosedIssues = (text: string): number[] => numbersIn(text, closing)

/** Those that it names without closing them. */
export const findConcernedIssues = (text: string): number[] => numbersIn(text, concerning)

function numbersIn(text: string, words: RegExp): number[] {
  return [...new Set([...readProse(text).matchAll(words)].map(([, number]) => Number(number)))]
}
