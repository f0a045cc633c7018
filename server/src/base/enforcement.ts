/** How a limit is held: by the kernel, by the kernel for each process alone, by looking at it now and then, not at all. */
export const enforcements = ['none', 'polled', 'per-process', 'kernel'] as const
export type Enforcement = (typeof enforcements)[number]

export const enforcedLimits = ['memory', 'cpu', 'processes', 'disk', 'network', 'kill'] as const
export type EnforcementReport = Record<(typeof enforcedLimits)[number], Enforcement>

/** What is required of a sandbox at least; what is not named may be as it is. */
export type EnforcementRequired = Partial<EnforcementReport>

/** What a sandbox that holds its limits so would lack, in words; null when nothing. */
export function describeLack(required: EnforcementRequired, report: EnforcementReport): string | null {
  const lacking = enforcedLimits.filter((limit) => rankOf(report[limit]) < rankOf(required[limit] ?? 'none'))
  if (lacking.length === 0) return null
  return lacking.map((limit) => `${limit} by "${required[limit]}", and here it is "${report[limit]}"`).join('; ')
}

const rankOf = (enforcement: Enforcement) => enforcements.indexOf(enforcement)
