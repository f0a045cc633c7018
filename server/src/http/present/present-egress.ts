import type { EgressWithNames } from '#domain/repos/egress/get-egress.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentEgress({ isFromFileToo, ...egress }: EgressWithNames): Components['Egress'] {
  return { ...egress, from_file: isFromFileToo }
}
