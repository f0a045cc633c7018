import path from 'node:path'
import { openLocalHost } from '#adapters/codehosts/local/local.ts'
import { makeRepository } from '#test/example-repository.ts'
import { isRoot, type Attack } from './attack.ts'

/** A code host with one repository of one file, as agents are given it. */
export async function openRepository({ base, uid }: Attack, { file }: { file: string }) {
  const host = openLocalHost({
    folder: path.join(base, 'git'),
    importPaths: ['/tmp', base],
    ...(isRoot && { readableBy: { gid: uid } }),
  })
  const ref = { organizationId: 1, path: '1/1.git' }
  await host.importRepository(ref, makeRepository({ 'file.txt': file }))
  const { objectsPath, branches } = await host.mirror(ref)
  return { host, ref, objectsPath, begin: branches.get('main')! }
}
