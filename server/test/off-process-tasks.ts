// Runs in processes of off-process.test.ts: does what a task says, however bad it is.
import { existsSync, writeFileSync } from 'node:fs'
import { serveTasks } from '#base/off-process/serve-tasks.ts'

export type TestTask =
  | { kind: 'say'; word: string }
  | { kind: 'bomb' }
  | { kind: 'parse'; text: string }
  | { kind: 'loop' }
  | { kind: 'exit' }
  | { kind: 'throw' }
  | { kind: 'environment' }
  /** Makes the first file, and is done when the second is there. */
  | { kind: 'wait'; begun: string; release: string }
  | { kind: 'length'; bytes: Uint8Array }

serveTasks((task) => act(task as TestTask))

function act(task: TestTask): string | Promise<string> {
  if (task.kind === 'say') return task.word
  if (task.kind === 'exit') process.exit(1)
  if (task.kind === 'throw') throw new TypeError('as asked')
  if (task.kind === 'loop') for (;;);
  if (task.kind === 'parse') return String((JSON.parse(task.text) as unknown[]).length)
  if (task.kind === 'environment') return Object.keys(process.env).join(' ')
  if (task.kind === 'length') return String(task.bytes.length)
  if (task.kind === 'wait') return waitFor(task)
  const held: number[][] = []
  for (;;) held.push(Array.from({ length: 10_000 }, (_, n) => n))
}

async function waitFor({ begun, release }: { begun: string; release: string }): Promise<string> {
  writeFileSync(begun, '')
  while (!existsSync(release)) await new Promise((resolve) => setTimeout(resolve, 5))
  return 'done'
}
