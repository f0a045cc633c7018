import type { RepoRef } from '#adapters/codehosts/code-host.ts'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { exists } from './repository-folder.ts'
import { maintainRepository } from './maintain-repository.ts'

export type Maintain = {
  /** Told of each repository that could not be put in order; it is looked at again much later. */
  onFault: (error: unknown, repo: RepoRef) => void
}

/** The repositories of one folder that this process has used, and that may need to be put in order. */
export class Maintenance {
  readonly #folderOf: (repo: RepoRef) => string
  readonly #used = new Map<string, RepoRef>()
  /** Until when a repository is left alone: for as long again, and more, as it took the last time. */
  readonly #restsUntil = new Map<string, number>()

  constructor(folderOf: (repo: RepoRef) => string) {
    this.#folderOf = folderOf
  }

  /** Costs nothing: whoever asks for something does not wait for this. */
  note({ organizationId, path }: RepoRef): void {
    if (this.#used.size < gitLimits.usedReposMax) this.#used.set(path, { organizationId, path })
  }

  /** What a push brings is there only at its end. */
  async noteAfter<T extends { ended: Promise<unknown> }>(repo: RepoRef, start: () => Promise<T>): Promise<T> {
    const git = await start()
    void git.ended.then(() => this.note(repo))
    return git
  }

  /** Puts those in order that need it, one after the other, and answers which. */
  async maintain({ onFault }: Maintain): Promise<RepoRef[]> {
    const now = performance.now()
    for (const [path, until] of this.#restsUntil) if (until <= now) this.#restsUntil.delete(path)
    const due = [...this.#used.values()].filter(({ path }) => !this.#restsUntil.has(path))
    const maintained: RepoRef[] = []
    for (const repo of due) {
      this.#used.delete(repo.path)
      if (await this.#maintainOne(repo, onFault)) maintained.push(repo)
    }
    return maintained
  }

  async #maintainOne(repo: RepoRef, onFault: Maintain['onFault']): Promise<boolean> {
    const begun = performance.now()
    const folder = this.#folderOf(repo)
    try {
      const outcome = await maintainRepository(folder)
      if (outcome === 'busy') this.note(repo)
      if (outcome !== 'maintained') return false
      this.#restsUntil.set(repo.path, performance.now() + gitLimits.restShare * (performance.now() - begun))
      return true
    } catch (error) {
      this.#restsUntil.set(repo.path, performance.now() + gitLimits.restAfterFaultMs)
      // It was removed meanwhile.
      if (await exists(folder)) onFault(error, repo)
      return false
    }
  }
}
