/** What a process says to whoever started it. */
export type Said<Answer> = { kind: 'ready' } | { kind: 'answer'; answer: Answer } | { kind: 'fault'; error: unknown }

/** In the script of a process: does each task that comes. What it throws is thrown where the task was asked for. */
export function serveTasks<Answer>(act: (task: unknown) => Answer | Promise<Answer>): void {
  // Whoever started it has gone.
  process.on('disconnect', () => process.exit())
  const say = (text: Said<Answer>) => process.send?.(text)
  const serve = async (task: unknown) => {
    try {
      say({ kind: 'answer', answer: await act(task) })
    } catch (error) {
      say({ kind: 'fault', error })
    }
  }
  process.on('message', (task) => void serve(task))
  say({ kind: 'ready' })
}
