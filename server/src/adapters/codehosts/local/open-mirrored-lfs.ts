import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import {
  askBatch,
  downloadLfs,
  uploadLfs,
  type BatchAnswer,
  type Dial,
  type LfsReach,
} from '#adapters/codehosts/lfs-client.ts'
import type { LfsPointer, LfsStore } from '#adapters/codehosts/lfs-store.ts'
import { lfsLimits } from '#base/hosts/lfs-limits.ts'

export type OpenMirroredLfs = {
  /** Where what has come once is kept, beside the mirror. */
  local: LfsStore
  /** Makes the mirror's folder, where there is none. */
  prepare: (repo: RepoRef) => Promise<void>
  dial: (repo: RepoRef) => Dial
  reach: (repo: RepoRef, options: { need: 'read' | 'write'; after: 'unauthorized' | null }) => Promise<LfsReach>
  /** Counts what is about to come in; null: mirrors do not count. */
  take: ((repo: RepoRef, bytes: number) => Promise<string | null>) | null
  list: LfsStore['list']
}

type Ask = { operation: 'download' | 'upload'; pointers: readonly LfsPointer[]; signal?: AbortSignal | undefined }

/** The large files of a repository elsewhere: each comes once, is checked, and stays here; what is stored goes there too. */
export function openMirroredLfs({ local, prepare, dial, reach, take, list }: OpenMirroredLfs): LfsStore {
  const ask = (repo: RepoRef, request: Ask): Promise<BatchAnswer[]> =>
    signedIn(reach, { repo, need: request.operation === 'download' ? 'read' : 'write' }, (by) =>
      askBatch(dial(repo), by, request),
    )
  const askAll = async (repo: RepoRef, { pointers, ...request }: Ask): Promise<BatchAnswer[]> => {
    const answers: BatchAnswer[] = []
    for (let at = 0; at < pointers.length; at += lfsLimits.askedAtOnce)
      answers.push(...(await ask(repo, { ...request, pointers: pointers.slice(at, at + lfsLimits.askedAtOnce) })))
    return answers
  }
  const bringOne = async (repo: RepoRef, pointer: LfsPointer, answer: BatchAnswer, signal?: AbortSignal) => {
    if (answer.error) throw answer.error
    if (!answer.download) return
    const body = await downloadLfs(dial(repo), answer.download, signal)
    const counted = async (bytes: number) => (take ? take(repo, bytes) : null)
    const object = { ...pointer, body, take: counted, ...(signal && { signal }) }
    await local.put(repo, object).finally(() => body.destroy())
  }
  const bring: LfsStore['bring'] = async (repo, pointers, { signal } = {}) => {
    await prepare(repo)
    const { here } = await local.bring(repo, pointers)
    const missing = new Map(pointers.filter(({ oid }) => !here.has(oid)).map((pointer) => [pointer.oid, pointer]))
    const request = { operation: 'download' as const, pointers: [...missing.values()], signal }
    const answers = await askAll(repo, request).catch(unlessPassing<BatchAnswer[]>([]))
    const next = answers.values()
    const work = async () => {
      for (const answer of next) {
        signal?.throwIfAborted()
        const pointer = missing.get(answer.oid)
        if (pointer) await bringOne(repo, pointer, answer, signal).catch(unlessPassing(undefined))
      }
    }
    await Promise.all(Array.from({ length: lfsLimits.broughtAtOnce }, work))
    return local.bring(repo, pointers)
  }
  return {
    list,
    bring,
    find: async (repo, pointers, { signal } = {}) => {
      const sizes = new Map(pointers.map(({ oid, bytes }) => [oid, bytes]))
      const answers = await askAll(repo, { operation: 'download', pointers, signal })
      const passing = answers.find(({ error }) => error?.isPassing)?.error
      if (passing) throw passing
      const found = answers.filter(({ download }) => download).map(({ oid }) => [oid, sizes.get(oid)] as const)
      return new Map(found.flatMap(([oid, bytes]) => (bytes === undefined ? [] : [[oid, bytes]])))
    },
    open: async (repo, pointer, options) => {
      await bring(repo, [pointer], options)
      return local.open(repo, pointer)
    },
    put: async (repo, object) => {
      await prepare(repo)
      const counted = take ? object.take : async () => null
      await local.put(repo, { ...object, take: counted })
      const { oid, bytes, signal } = object
      const kept = await local.open(repo, object)
      if (!kept) throw new HostError('unavailable', 'A large file (Git LFS) was removed before it could be uploaded.')
      const request = { operation: 'upload' as const, pointers: [{ oid, bytes }], signal }
      await signedIn(reach, { repo, need: 'write' }, async (by) => {
        const answer = (await askBatch(dial(repo), by, request)).find((each) => each.oid === oid)
        if (!answer) throw new HostError('unavailable', 'The host says nothing of a large file (Git LFS) of the work.')
        if (answer.error) throw answer.error
        await uploadLfs(dial(repo), answer, { oid, bytes, file: kept.file, signal })
      })
    },
  }
}

/** A credential that has run out is replaced, once. */
async function signedIn<T>(
  reach: OpenMirroredLfs['reach'],
  { repo, need }: { repo: RepoRef; need: 'read' | 'write' },
  use: (by: LfsReach) => Promise<T>,
): Promise<T> {
  try {
    return await use(await reach(repo, { need, after: null }))
  } catch (error) {
    if (!(error instanceof HostError) || error.code !== 'unauthorized') throw error
    return use(await reach(repo, { need, after: 'unauthorized' }))
  }
}

/** What cannot be had stays a pointer; a host that cannot be reached now is asked again. */
function unlessPassing<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (!(error instanceof HostError) || error.isPassing) throw error
    return instead
  }
}
