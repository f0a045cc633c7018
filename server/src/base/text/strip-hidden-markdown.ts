import { escapeInvisible } from './escape-invisible.ts'

/** To their end or to that of the text. */
const comments = /<!--[\s\S]*?--!?>|<!--[\s\S]*/g
/** Definitions of links that lead nowhere, used as comments. A label ends where another begins. */
const definitions = /^ {0,3}\[(?:[^[\]\\\n]|\\[^\n])+\]:[ \t]*(?:#|<>)[ \t]*(?:["'(].*)?$/gm
const note = '[a hidden comment was left out]'

/**
 * What people see of a text that pages show rendered, such as a comment at an issue. The rest can only be meant for
 * machines, so it is left out.
 */
export function stripHiddenMarkdown(text: string): string {
  return escapeInvisible(text.replace(comments, note).replace(definitions, note), () => '')
}
