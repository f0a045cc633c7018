/** A page object: what a list answers. */
export function pageOf<Item>(
  { items, total }: { items: Item[]; total: number },
  page: { skip: number; limit: number },
): PageNumbers & { items: Item[] } {
  return { items, ...pageNumbers(total, page) }
}

export type PageNumbers = { total: number; page: number; size: number; pages: number }

export function pageNumbers(total: number, { skip, limit }: { skip: number; limit: number }): PageNumbers {
  return { total, page: Math.floor(skip / limit) + 1, size: limit, pages: Math.ceil(total / limit) }
}
