import type { EgressWithNames } from '#domain/repos/egress/get-egress.ts'

export function presentEgress({ isFromFileToo, ...egress }: EgressWithNames) {
  return { ...egress, from_file: isFromFileToo }
}
