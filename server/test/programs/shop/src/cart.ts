import { type Discount, discountCents } from './discount.ts'

export type Line = { name: string; cents: number; count: number }

export class Cart {
  readonly lines: Line[] = []

  add(line: Line): this {
    const known = this.lines.find((one) => one.name === line.name)
    if (known) known.count += line.count
    else this.lines.push({ ...line })
    return this
  }

  totalCents(discount?: Discount): number {
    const sum = this.lines.reduce((total, line) => total + line.cents * line.count, 0)
    return discount ? sum - discountCents(sum, discount) : sum
  }
}
