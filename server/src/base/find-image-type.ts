const beginnings: [mediaType: string, beginning: RegExp][] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF....WEBP/s],
]

/** What kind of image these bytes begin like, of those that models take: PNG, JPEG, GIF, WebP. Null: none of them. Looks at 16 bytes. */
export function findImageType(bytes: Buffer): string | null {
  const head = bytes.subarray(0, 16).toString('latin1')
  return beginnings.find(([, beginning]) => beginning.test(head))?.[0] ?? null
}
