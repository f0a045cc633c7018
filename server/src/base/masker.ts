import { openRedactor, type KnownSecret, type Mask } from './redactor/redactor.ts'

export type { Mask } from './redactor/redactor.ts'

/** Takes secrets out of whole texts. */
export function createMask(secrets: KnownSecret[]): Mask {
  return openRedactor(secrets).mask
}
