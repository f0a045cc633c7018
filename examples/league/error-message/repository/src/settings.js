/** Settings, one on each line as `name = value`. Empty lines and those that begin with # are left out. */
export function readSettings(text, file) {
  const settings = {}
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue
    const [, name, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line)
    settings[name] = value
  }
  return settings
}
