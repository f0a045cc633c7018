import type { SandboxProvider } from './sandbox.ts'

/** The same provider; `count` is told of each sandbox that begins (1) and ends (-1). */
export function countSandboxes(provider: SandboxProvider, count: (change: 1 | -1) => void): SandboxProvider {
  return {
    get name() {
      return provider.name
    },
    get enforcement() {
      return provider.enforcement
    },
    probe: () => provider.probe(),
    create: async (spec) => {
      const sandbox = await provider.create(spec)
      count(1)
      void sandbox.closed.finally(() => count(-1))
      return sandbox
    },
    remove: (id, options) => provider.remove(id, options),
    list: () => provider.list(),
    close: () => provider.close(),
  }
}
