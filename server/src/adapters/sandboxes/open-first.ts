import type { SandboxProvider, SandboxStatus } from './sandbox.ts'

/**
 * The first of these providers that isolates on this machine, in their order. It is chosen when a sandbox is first asked
 * for and stays chosen, whatever becomes of it: its sandboxes are at work. Where none isolates, the first one says why.
 */
export function openFirst(candidates: readonly [SandboxProvider, ...SandboxProvider[]]): SandboxProvider {
  let chosen: { provider: SandboxProvider; why: string } | undefined
  let choosing: Promise<SandboxStatus> | undefined

  async function choose(): Promise<SandboxStatus> {
    const refusals: { name: string; status: SandboxStatus }[] = []
    for (const provider of candidates) {
      const status = await provider.probe()
      if (status.isolated) {
        chosen = { provider, why: whyChosen(provider.name, refusals) }
        return withNote(status, chosen.why)
      }
      refusals.push({ name: provider.name, status })
    }
    const problems = refusals.flatMap(({ name, status }) => status.problems.map((problem) => `${name}: ${problem}`))
    return { ...refusals[0]!.status, problems }
  }

  /** Whoever asks meanwhile waits for the same answer. */
  function chooseOnce(): Promise<SandboxStatus> {
    choosing ??= choose().finally(() => (choosing = undefined))
    return choosing
  }

  async function find(): Promise<SandboxProvider> {
    if (!chosen) await chooseOnce()
    return chosen?.provider ?? candidates[0]
  }

  return {
    get name() {
      return (chosen?.provider ?? candidates[0]).name
    },
    get enforcement() {
      return (chosen?.provider ?? candidates[0]).enforcement
    },
    probe: async () => (chosen ? withNote(await chosen.provider.probe(), chosen.why) : chooseOnce()),
    create: async (spec) => (await find()).create(spec),
    remove: async (id, options) => (await find()).remove(id, options),
    list: async () => (await find()).list(),
    close: async () => chosen?.provider.close(),
  }
}

function whyChosen(name: string, refusals: { name: string; status: SandboxStatus }[]): string {
  if (refusals.length === 0) return `RUNWRIGHT_SANDBOX is auto, and ${name} works here.`
  const reasons = refusals.map((refusal) => `${refusal.name} does not work here: ${refusal.status.problems.join(' ')}`)
  return `RUNWRIGHT_SANDBOX is auto, and ${reasons.join(' ')}`
}

const withNote = (status: SandboxStatus, note: string): SandboxStatus => ({ ...status, notes: [note, ...status.notes] })
