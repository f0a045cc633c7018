import { flushPacket, packetLine } from './packet-line.ts'
import type { PushHead } from './push-commands.ts'

/**
 * The answer to a push that git's own program has not answered. When some of its refs are refused, nothing of it is taken,
 * and each ref is told why.
 */
export function pushReport(
  { commands, capabilities }: Pick<PushHead, 'commands' | 'capabilities'>,
  refused: Map<string, string>,
): Buffer {
  if (!capabilities.has('report-status') && !capabilities.has('report-status-v2')) return Buffer.from(flushPacket)
  const reasonOf = (ref: string) => refused.get(ref) ?? 'nothing is pushed, since another ref was refused'
  const outcomeOf = (ref: string) => (refused.size ? `ng ${ref} ${reasonOf(ref)}` : `ok ${ref}`)
  const report = Buffer.concat([
    packetLine('unpack ok\n'),
    ...commands.map(({ ref }) => packetLine(`${outcomeOf(ref)}\n`)),
    Buffer.from(flushPacket),
  ])
  if (!capabilities.has('side-band-64k')) return report
  return Buffer.concat([...bandsOf(report), Buffer.from(flushPacket)])
}

/** The report's own framing goes into the first of the stream's bands, in pieces that fit a packet. */
function bandsOf(report: Buffer): Buffer[] {
  const bytesMax = 65_515
  const pieces = Array.from({ length: Math.ceil(report.length / bytesMax) }, (_, index) =>
    report.subarray(index * bytesMax, (index + 1) * bytesMax),
  )
  return pieces.map((piece) => packetLine(Buffer.concat([Buffer.from([1]), piece])))
}
