import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { maskPull, readComparison } from '#http/input/read-comparison.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Ordinal, Word } from '#http/schemas/fields.ts'
import { PullParams } from '#http/schemas/pull.ts'

export const getPullFileRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/prs/:pr_id/file`,
  operationId: 'getPullFile',
  tag: 'Pull requests',
  summary: 'Get lines of a file before or after a pull request',
  description: `For the context of a diff. At most ${gitLimits.shownLinesMax} lines at once, of a file of at most 2 MiB. Secrets are redacted.`,
  policy: 'standard',
  access: 'read',
  params: PullParams,
  query: Type.Object({
    path: Type.String({ minLength: 1, maxLength: 4_096 }),
    side: Type.Optional(
      Word(['base', 'head'], {
        description: 'The old (`base`) or new (`head`) version of the file. Default: `head`.',
      }),
    ),
    from: Type.Optional(Type.Integer({ ...Ordinal, description: 'The first line. Default: 1.' })),
    to: Type.Optional(Type.Integer({ ...Ordinal, description: 'The last line. Default: as many as possible.' })),
  }),
  success: { status: 200, description: 'The lines.', component: 'PullRequestFileLines' },
  errors: ['pull_not_found', 'branch_not_found', 'file_not_found', 'comparison_too_large'],
  handle: async ({ app, db, params, query }) => {
    const { path, side = 'head', from = 1, to } = query
    const ids = { organizationId: params.org_id, pullId: params.pr_id }
    return readComparison(db, ids, async ({ pull, repo, compare }) => {
      const file = await app.hosts.git(repo).readComparedFile(repo, { ...compare, side, path })
      if (file.kind === 'missing') throw new AppError('file_not_found')
      if (file.kind === 'too_large') throw tooLarge(path)
      const about = { path, side, commit: file.commit }
      if (file.kind !== 'text') return { ...about, kind: 'binary', from, lines: [], total_lines: null }
      // Masked as a whole, since a secret may go over several lines.
      const lines = linesOf(await maskPull(app, pull, file.text))
      // Then no line has the number that the diff gives it.
      if (lines.length !== linesOf(file.text).length)
        return { ...about, kind: 'redacted', from, lines: [], total_lines: null }
      const end = Math.min(to ?? Infinity, from - 1 + gitLimits.shownLinesMax)
      return { ...about, kind: 'text', from, lines: lines.slice(from - 1, Math.max(end, 0)), total_lines: lines.length }
    })
  },
})

const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

function tooLarge(path: string): AppError {
  const mebibytes = gitLimits.shownFileBytesMax / 2 ** 20
  return new AppError('comparison_too_large', {
    message: `${path} is larger than ${mebibytes} MiB, the most that is shown.`,
  })
}
