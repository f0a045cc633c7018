/** Settings, one on each line as `name = value`. Empty lines and those that begin with # are left out. */
export function readSettings(text, file) {
  const settings = {}
  const lines = new Map()
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue
    const at = `${file}, line ${index + 1}`
    const found = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line)
    if (!found) throw new Error(`${at}: expected "name = value", got "${line.trim()}"`)
    const [, name, value] = found
    if (lines.has(name)) throw new Error(`${at}: "${name}" is set already, in line ${lines.get(name)}`)
    lines.set(name, index + 1)
    settings[name] = value
  }
  return settings
}
