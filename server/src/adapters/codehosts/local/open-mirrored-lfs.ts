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
  const ask = async (repo: RepoRef, request: Ask): Promise<BatchAnswer[]> => {
    const need = request.operation === 'download' ? 'read' : 'write'
    try {
      return await askBatch(dial(repo), await reach(repo, { need, after: null }), request)
    } catch (error) {
      if (!(error instanceof HostError) || error.code !== 'unauthorized') throw error
      return askBatch(dial(repo), await reach(repo, { need, after: 'unauthorized' }), request)
    }
  }
  const askAll = async (repo: RepoRef, { pointers, ...request }: Ask): Promise<BatchAnswer[]> => {
    const answers: BatchAnswer[] = []
    for (let at = 0; at < pointers.length; at += lfsLimits.askedAtOnce)
      answers.push(...(await ask(repo, { ...request, pointers: pointers.slice(at, at + lfsLimits.askedAtOnce) })))
    return answers
  }
  const bringOne = async (repo: RepoRef, pointer: LfsPointer, answer: BatchAnswer, signal?: AbortSignal) => {
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
      const [answer] = await ask(repo, { operation: 'upload', pointers: [{ oid, bytes }], signal })
      if (answer?.error !== undefined) throw new HostError('invalid', `The host refuses a large file: ${answer.error}`)
      const kept = await local.open(repo, object)
      if (answer && kept) await uploadLfs(dial(repo), answer, { oid, bytes, file: kept.file, signal })
    },
  }
}

/** What cannot be had stays a pointer; a host that cannot be reached now is asked again. */
function unlessPassing<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (!(error instanceof HostError) || error.isPassing) throw error
    return instead
  }
}
