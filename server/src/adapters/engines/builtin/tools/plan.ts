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
    reason: z.string().optional().describe('Why so, and not otherwise; for the person who approves it'),
    files: z.array(z.string()).optional().describe('What is going to change'),
    risks: z.array(z.string()).optional().describe('What may go wrong, or is unsure'),
  }),
  isReadOnly: true,
  async run({ steps, reason, files = [], risks = [] }) {
    const done = steps.filter((step) => step.status === 'done').length
    return {
      text: `plan kept: ${done} of ${steps.length} done`,
      output: {
        steps,
        ...(reason && { reason }),
        ...(files.length > 0 && { files }),
        ...(risks.length > 0 && { risks }),
      },
    }
  },
})
