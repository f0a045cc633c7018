import { z } from 'zod'
import { defineTool } from './tool.ts'

const STEPS_MAX = 20

export const planTool = defineTool({
  name: 'plan',
  description: 'State the plan, or state it anew as it changes: every step with its status, each time the whole list.',
  schema: z.strictObject({
    steps: z
      .array(z.strictObject({ text: z.string().min(1), status: z.enum(['pending', 'in_progress', 'done']) }))
      .min(1)
      .max(STEPS_MAX),
  }),
  isReadOnly: true,
  async run({ steps }) {
    const done = steps.filter((step) => step.status === 'done').length
    return { text: `plan kept: ${done} of ${steps.length} done`, output: { steps } }
  },
})
