import type { App } from '#app/app.ts'
import { recordPush } from '#domain/hosts/pulls/record-push.ts'
import { whyNotTaken } from '#domain/accounts/storage/take-git-bytes.ts'
import { pushWithGit } from './push-with-git.ts'
import { levelOf } from './refusal-of.ts'
import type { GitParts } from './visit.ts'

export type GitPartsApp = Pick<App, 'pool' | 'logger'> & { hosts: Pick<App['hosts'], 'git' | 'admin'> }

/** What people and programs with a right of their own are served with, however they come. */
export function openGitParts({ pool, hosts, logger }: GitPartsApp): GitParts {
  return {
    serveGit: async (repo, request) => {
      // What a run without a repository works in is made when its worker first comes.
      if (repo.id === null) await hosts.admin.createRepository(repo, { defaultBranch: repo.defaultBranch })
      // A mirror is as old as the last look at it.
      else if (request.part !== 'request') await hosts.git(repo).mirror(repo)
      return hosts.admin.serveGit(repo, request)
    },
    push: pushWithGit({
      mirror: (repo) => hosts.git(repo).mirror(repo),
      countRefs: (repo) => hosts.admin.countRefs(repo),
      take: ({ repo: { organizationId, id: repoId }, runId, bytes }) =>
        whyNotTaken(pool, { organizationId, repoId, runId, bytes }),
      onPush: (push) => recordPush(pool, { ...push, hosts }),
    }),
    onError: (error) => logger[levelOf(error)]({ err: error }, 'the git gateway failed'),
  }
}
