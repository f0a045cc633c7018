import { discountOn } from './discounts.js'

export function createBasket() {
  return { lines: [] }
}

export function addItem(basket, { name, cents, count = 1 }) {
  if (!Number.isInteger(cents) || cents < 0) throw new RangeError(`not a price: ${cents}`)
  if (!Number.isInteger(count) || count < 1) throw new RangeError(`not a count: ${count}`)
  const known = basket.lines.find((line) => line.name === name && line.cents === cents)
  if (known) known.count += count
  else basket.lines.push({ name, cents, count })
  return basket
}

export function totalsOf(basket) {
  const sum = basket.lines.reduce((total, line) => total + line.cents * line.count, 0)
  const discount = discountOn(sum)
  return { sum, discount, total: sum - discount }
}
