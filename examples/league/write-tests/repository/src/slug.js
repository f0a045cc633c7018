/** The name of a page in its address: lower case, words joined by one hyphen, 40 characters at most, and never empty. */
export function slugOf(title) {
  const words = title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
  return words.join('-').slice(0, 40).replace(/-$/, '') || 'untitled'
}
