import { codeHostLimits } from '#adapters/codehosts/limits.ts'

type Page<Item> = { data: Item[]; headers: { link?: string | undefined } }

/** All items of a list, page by page; no more than are looked at of any list. */
export async function readPages<Item>(
  read: (page: { page: number; per_page: number }) => Promise<Page<Item>>,
  itemsMax = Infinity,
): Promise<{ items: Item[]; isCut: boolean }> {
  const items: Item[] = []
  for (let page = 1; page <= codeHostLimits.hostPagesMax; page++) {
    const { data, headers } = await read({ page, per_page: 100 })
    items.push(...data)
    if (!headers.link?.includes('rel="next"'))
      return { items: items.slice(0, itemsMax), isCut: items.length > itemsMax }
    if (items.length >= itemsMax) break
  }
  return { items: items.slice(0, itemsMax), isCut: true }
}
