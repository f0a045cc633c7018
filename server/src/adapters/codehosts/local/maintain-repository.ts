import { rm } from 'node:fs/promises'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { askGit } from './ask-git.ts'
import { findDisorder, type Disorder } from './find-disorder.ts'
import { holdRepository } from './hold-repository.ts'
import { packRefs } from './pack-refs.ts'
import { packingLimits } from './packing-limits.ts'

/** `busy`: another process is at it. */
export type Maintained = 'orderly' | 'maintained' | 'busy'

/**
 * Puts packs, objects and refs of a repository together where they have become many, and takes away what killed programs have
 * left. Nothing that the repository holds goes. Others read, push and fetch meanwhile: git takes old packs away once the new
 * one is there, and looks again for what it does not find.
 */
export async function maintainRepository(repository: string): Promise<Maintained> {
  if (isOrderly(await findDisorder(repository))) return 'orderly'
  return (await holdRepository(repository, () => maintain(repository))) ?? 'busy'
}

const isOrderly = (found: Disorder) => !found.leftovers.length && !hasManyObjects(found) && !hasManyRefs(found)
const hasManyObjects = ({ packs, looseObjects }: Disorder) =>
  packs > gitLimits.packsMax || looseObjects > gitLimits.looseObjectsMax
const hasManyRefs = ({ looseRefs }: Disorder) => looseRefs > gitLimits.looseRefsMax

async function maintain(repository: string): Promise<Maintained> {
  // Whoever held it before may have done it all.
  const found = await findDisorder(repository)
  for (const file of found.leftovers) await rm(file, { force: true })
  if (hasManyRefs(found)) await packRefs(repository)
  if (hasManyObjects(found)) await packObjects(repository)
  return 'maintained'
}

/**
 * Each pack then holds at least twice as many objects as the next smaller one, so that of a large repository only what came
 * in lately is written anew. One index over all packs names what each commit reaches, which a clone then need not find out.
 */
async function packObjects(repository: string): Promise<void> {
  const words = ['repack', '-q', '-d', '--geometric=2', '--write-midx', '--write-bitmap-index']
  await askGit({ repository, arguments: words, ...packingLimits })
}
