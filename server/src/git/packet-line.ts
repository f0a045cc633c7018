/** Git's framing: four hexadecimal digits of length, which count themselves, and the payload. */
export function packetLine(payload: string | Buffer): Buffer {
  const bytes = Buffer.from(payload as Buffer)
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes])
}

export const flushPacket = '0000'
