import { z } from 'zod'
import { describeChild } from './describe-child.ts'
import { requireChildren } from './require-children.ts'
import { defineTool } from './tool.ts'

export const startRunTool = defineTool({
  name: 'start_run',
  description:
    'Start another run, which works on a part of the task that stands alone: in a sandbox of its own, on a branch of its own, with a ' +
    'pull request of its own. It sees nothing of this conversation and nothing of your files that is not on the base branch, so say ' +
    'everything in the prompt. It spends from the same budget. Answers at once; wait for it with read_runs. Do yourself what is ' +
    'quickly done.',
  schema: z.strictObject({
    prompt: z.string().min(1).max(20_000),
    title: z.string().min(1).max(100).optional(),
    repository: z.string().min(1).max(200).optional().describe('Name of another repository of the organization'),
  }),
  isReadOnly: false,
  // The same step starts the same run.
  isRepeatable: true,
  async run({ prompt, title = null, repository = null }, context) {
    const child = await requireChildren(context, (children) =>
      children.start({ key: context.callName, prompt, title, repository }),
    )
    return { text: `started run ${child.id}`, output: { runs: [describeChild(child)] } }
  },
})
