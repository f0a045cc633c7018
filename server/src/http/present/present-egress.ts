import type { EgressWithNames } from '#domain/egress/get-egress.ts'

export function presentEgress({ isFromFileToo, ...egress }: EgressWithNames) {
  return { ...egress, from_file: isFromFileToo }
}
