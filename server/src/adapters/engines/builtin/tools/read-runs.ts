import { z } from 'zod'
import type { ChildRun } from '#adapters/engines/engine.ts'
import { limits } from '#base/limits.ts'
import { shortenWithin } from '#base/text/shorten.ts'
import { describeChild } from './describe-child.ts'
import { requireChildren } from './require-children.ts'
import { defineTool } from './tool.ts'

const WAIT_MINUTES_DEFAULT = 24 * 60
const WAIT_MINUTES_MAX = 7 * 24 * 60

export const readRunsTool = defineTool({
  name: 'read_runs',
  description:
    'Wait until runs that you started have all ended, and read how: status, result, error, pull requests. Waiting costs nothing. ' +
    'Name several to wait for them together.',
  schema: z.strictObject({
    runs: z.array(z.int().min(1)).min(1).max(limits.childRunsMax).optional().describe('All when not given'),
    wait: z.boolean().optional().describe('false to read how they stand now'),
    wait_minutes: z.int().min(1).max(WAIT_MINUTES_MAX).optional().describe('A day when not given'),
  }),
  isReadOnly: false,
  isRepeatable: true,
  isFromOutside: true,
  async run({ runs = null, wait = true, wait_minutes = WAIT_MINUTES_DEFAULT }, context) {
    const waitMinutes = wait ? wait_minutes : null
    const read = await requireChildren(context, (children) =>
      children.read({ key: context.callName, runIds: runs, waitMinutes }),
    )
    const open = read.filter(({ hasEnded }) => !hasEnded).length
    const note = wait && open > 0 ? [`[${open} of them still at work: the wait was over, or a message came]`] : []
    const text = read.length ? [...read.map(sayChild), ...note].join('\n\n') : 'This run has started no others.'
    return { text, output: { runs: read.map(describeChild) } }
  },
})

function sayChild({ id, title, status, statusDetail, result, error, pulls }: ChildRun): string {
  const lines = [
    `run ${id}${title === null ? '' : ` (${title})`}: ${status}${statusDetail === null ? '' : `, ${statusDetail}`}`,
    ...pulls.map(({ url, state }) => `pull request (${state}): ${url}`),
    ...(error === null ? [] : [`error: ${error}`]),
    ...(result === null ? [] : [shortenWithin(result, limits.childResultCharactersMax)]),
  ]
  return lines.join('\n')
}
