import { z } from 'zod'
import type { Tool } from './tool.ts'

export type AskUserInput = z.infer<typeof schema>

const schema = z.strictObject({
  question: z.string().min(1).max(10_000).describe('One question, with what the person must know to answer it'),
  options: z.array(z.string().min(1).max(500)).max(10).optional().describe('Answers to choose from'),
})

/** No tool that runs: the turn itself waits for the answer. */
export const askUserTool: Pick<Tool, 'name' | 'description'> & { schema: typeof schema } = {
  name: 'ask_user',
  description:
    'Ask the person who gave the task, and wait for the answer, which may take days. Only for a decision that is really theirs ' +
    'and that the task, the project and its conventions leave open. The result is what they answered.',
  schema,
}
