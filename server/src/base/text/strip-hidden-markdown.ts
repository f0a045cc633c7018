import { escapeInvisible } from './escape-invisible.ts'

/** Up to the end of the comment, or of the text. */
const comments = /<!--[\s\S]*?--!?>|<!--[\s\S]*/g
/** Definitions of links that lead nowhere, used as comments. A label ends where another begins. */
const definitions = /^ {0,3}\[(?:[^[\]\\\n]|\\[^\n])+\]:[ \t]*(?:#|<>)[ \t]*(?:["'(].*)?$/gm
const note = '[a hidden comment was left out]'

/**
 * What people see of Markdown once it is rendered, such as a comment on an issue. Anything else can only be meant for machines, so it
 * is removed.
 */
export function stripHiddenMarkdown(text: string): string {
  return escapeInvisible(text.replace(comments, note).replace(definitions, note), () => '')
}
