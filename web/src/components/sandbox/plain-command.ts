/** In what the service wraps a command, so that its errors stand among its output. */
const wrapper = `bash -c 'exec bash -c "$1" 2>&1' bash `

/** The command as the agent gave it. */
export function plainCommand(line: string): string {
  if (!line.startsWith(wrapper)) return line
  const rest = line.slice(wrapper.length)
  const isQuoted = rest.length > 1 && rest.startsWith("'") && rest.endsWith("'")
  return isQuoted ? rest.slice(1, -1).replaceAll(`'\\''`, "'") : rest
}
