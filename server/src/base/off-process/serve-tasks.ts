/** What a process of tasks sends to the process that started it. */
export type TaskMessage<Answer> =
  | { kind: 'ready' }
  | { kind: 'answer'; answer: Answer }
  | { kind: 'fault'; error: unknown }

/** Makes a script serve tasks: does each one it is sent. What a task throws is thrown by the call that requested it. */
export function serveTasks<Answer>(act: (task: unknown) => Answer | Promise<Answer>): void {
  // The process that started this one has ended.
  process.on('disconnect', () => process.exit())
  const say = (message: TaskMessage<Answer>) => process.send?.(message)
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
