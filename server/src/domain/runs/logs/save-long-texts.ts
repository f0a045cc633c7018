import type { Db } from '#db/pool.ts'
import { saveArtifact } from '#domain/runs/artifacts/save-artifact.ts'
import type { Holder } from '#domain/runs/holder.ts'
import type { KeptText } from './keep-long-texts.ts'

export type SaveLongTexts = { holder: Omit<Holder, 'turn'>; lines: { turn: number; kept: KeptText[] } }

/** Makes artifacts of what lines were cut from, in the transaction that writes them. Throws `LeaseLost`. */
export async function saveLongTexts(db: Db, { holder, lines }: SaveLongTexts): Promise<void> {
  for (const kept of lines.kept) await saveArtifact(db, { holder: { ...holder, turn: lines.turn }, ...kept })
}
