import type { LfsPointer } from './lfs-store.ts'

/** Larger files are no pointers of ours: only extensions make them longer, which need programs of their own. */
export const pointerBytes = { min: 100, max: 200 }

/** What a pointer file says; null where it is none. */
export function readLfsPointer(text: string): LfsPointer | null {
  const [, oid, size] =
    /^version https:\/\/git-lfs\.github\.com\/spec\/v1\noid sha256:([0-9a-f]{64})\nsize (\d{1,16})\n?$/.exec(text) ?? []
  const bytes = Number(size)
  return oid !== undefined && Number.isSafeInteger(bytes) ? { oid, bytes } : null
}
