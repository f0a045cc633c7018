// What jest's setting `moduleNameMapper` says a name stands for. Of its patterns only those are known that people write for
// folders and packages, `^@/(.*)$` and `^name$`: a test that needs another one fails to load, and its own runner tells of it.

/** The place or name that is meant; the name itself where nothing is said of it. `mapper`: pairs of a pattern and what it means. */
export function mapPath(mapper, name) {
  for (const [pattern, target] of mapper) {
    const parts = pattern.startsWith('^') && pattern.endsWith('$') ? pattern.slice(1, -1).split('(.*)').map(plain) : []
    const [before, after] = parts
    if (typeof before !== 'string' || after === null || parts.length > 2) continue
    const meant = [target].flat()[0]
    if (after === undefined && name === before) return meant
    if (after === undefined || name.length < before.length + after.length) continue
    if (!name.startsWith(before) || !name.endsWith(after)) continue
    return meant.replaceAll('$1', () => name.slice(before.length, name.length - after.length))
  }
  return name
}

/** The text that a part of a pattern matches, if that is only one. */
function plain(part) {
  let text = ''
  for (let at = 0; at < part.length; at++) {
    if (part[at] === '\\') text += part[++at] ?? ''
    else if ('^$.*+?()[]{}|'.includes(part[at])) return null
    else text += part[at]
  }
  return text
}
