import type { Reached } from './client.ts'
import { readPages } from './read-pages.ts'

/** All reviews of a pull request, the oldest first. */
export async function readReviews({ ask, owner, repo }: Reached, number: number) {
  const { items } = await readPages((page) =>
    ask('GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews', { owner, repo, pull_number: number, ...page }),
  )
  return items
}
