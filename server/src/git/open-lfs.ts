import type { App } from '#app/app.ts'
import type { GatewayRepo } from '#domain/runs/git-access/find-gateway-repo.ts'
import { whyNotTaken, type TakeGitBytes } from '#domain/accounts/storage/take-git-bytes.ts'
import { whyNoRoom } from '#domain/accounts/storage/why-no-room.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { inspectObject } from '#domain/runs/redaction/inspect-object.ts'
import { serveLfs } from './serve-lfs.ts'

type LfsApp = Pick<App, 'pool'> & { hosts: Pick<App['hosts'], 'git'> }

/** Git LFS for token holders at the service's address, or for the sandbox of a run, whose uploads are searched for secrets. */
export function openLfs(
  { pool, hosts }: LfsApp,
  by: { publicUrl: string } | { holder: Holder; redactors: App['redactors'] },
): ReturnType<typeof serveLfs> {
  const counted =
    (count: (db: App['pool'], request: TakeGitBytes) => Promise<string | null>) =>
    ({ repo, runId, bytes }: { repo: GatewayRepo; runId: number | null; bytes: number }) =>
      count(pool, { organizationId: repo.organizationId, repoId: repo.id, runId, bytes })
  const isRun = 'holder' in by
  return serveLfs({
    store: ({ organizationId, path }) => {
      const ref = { organizationId, path, ...(isRun && { holder: by.holder }) }
      return { lfs: hosts.git(ref).lfs, ref }
    },
    take: counted(whyNotTaken),
    whyNoRoom: counted(whyNoRoom),
    publicUrl: isRun ? null : by.publicUrl,
    ...(isRun && {
      inspect: (id) => inspectObject(by.redactors.of(by.holder), { kind: 'blob', id, path: `the LFS object ${id}` }),
    }),
  })
}
