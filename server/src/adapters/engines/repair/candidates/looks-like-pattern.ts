/** Whether a text is likely to be a regular expression. */
export function looksLikePattern(text: string): boolean {
  return /\\[wWdDsSbA]|\[[^\]]{1,80}\][+*?{]|\(\?|\.[*+]|^\^|[)\w]\$$/.test(text)
}
