import type { App } from '#app/app.ts'
import { AppError } from '#base/errors.ts'
import { renewPull } from '#domain/hosts/pulls/renew-pull.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { preparePullReview } from '#domain/hosts/reviews/prepare-review.ts'
import type { CreateRun } from '#domain/runs/runs/create-run.ts'
import { canReview } from '#worker/hosts/reviews/await-pull-review.ts'

type ReviewFork = Pick<CreateRun, 'prompt' | 'sourceType'> & { repo: Repo; number: number }

/**
 * The run for what somebody who is trusted asks at a pull request of another repository: it reads and reviews, has no secrets
 * and pushes nothing. Throws `conflict` where no model is there for that.
 */
export async function reviewFork(
  app: App,
  { repo, number, prompt, sourceType }: ReviewFork,
): Promise<Omit<CreateRun, 'userId'>> {
  if (!(await canReview(app, repo))) {
    const message = `Pull request #${number} comes from another repository, to whose branch I may not push, and reviews need a model.`
    throw new AppError('conflict', { message })
  }
  const pull = await renewPull(app.pool, { repo, number, forge: app.hosts.forge(repo) })
  const { mask } = await app.redactors.readRepo({ organizationId: repo.organizationId, repoId: repo.id })
  // Whose it is, is known once it is made.
  const { userId: _, ...run } = await preparePullReview(pull, { repo, hosts: app.hosts, mask, userId: 0, sourceType })
  return { ...run, prompt, brief: `${run.brief}\n\n${prompt}` }
}
