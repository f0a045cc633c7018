/** How many pages a list has, with so many items on each. */
export function countPages(items, perPage) {
  return Math.ceil(items / perPage)
}

/** Whether there is a page after this one; pages are counted from 1. */
export function hasNextPage(page, { items, perPage }) {
  return page * perPage < items
}
