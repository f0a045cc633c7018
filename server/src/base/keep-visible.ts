import { showHidden } from './show-hidden.ts'

/** Comments of HTML, to their end or to that of the text; and definitions of links that lead nowhere, used as comments. */
const unrendered =
  /<!--[\s\S]*?--!?>|<!--[\s\S]*|^ {0,3}\[(?:[^[\]\\\n]|\\[^\n])+\]:[ \t]*(?:#|<>)[ \t]*(?:["'(].*)?$/gm

/**
 * What people see of a text that pages show rendered, such as a comment at an issue. The rest can only be meant for
 * machines, so it is left out.
 */
export function keepVisible(text: string): string {
  return showHidden(text.replace(unrendered, '[a hidden comment was left out]'), () => '')
}
