/** The text of what an agent shows: one block, or several. Other kinds are named. Never throws. */
export function readContent(content: unknown, depth = 0): string {
  if (Array.isArray(content)) return content.map((one) => readContent(one, depth + 1)).join('')
  if (typeof content !== 'object' || content === null || depth > 8) return ''
  const { type, text, content: inner, path } = content as Record<string, unknown>
  if (typeof text === 'string') return text
  if (inner !== undefined) return readContent(inner, depth + 1)
  if (type === 'diff' && typeof path === 'string') return `Changed ${path}\n`
  return typeof type === 'string' && type !== 'terminal' ? `[${type.slice(0, 40)}]` : ''
}

/** The changes of files among what a tool call shows. */
export function readDiffs(content: unknown): { path: string; old_text: string | null; new_text: string }[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((one: Record<string, unknown> | null) => {
    if (one?.['type'] !== 'diff' || typeof one['path'] !== 'string' || typeof one['newText'] !== 'string') return []
    const old = one['oldText']
    return [{ path: one['path'], old_text: typeof old === 'string' ? old : null, new_text: one['newText'] }]
  })
}
