import { addDays } from './dates.js'

const LOAN_DAYS = 21

export class Loans {
  #loans = []

  lend(book, member, day) {
    if (this.#loans.some((loan) => loan.book === book)) throw new Error(`${book} is out`)
    const loan = { book, member, due: addDays(day, LOAN_DAYS) }
    this.#loans.push(loan)
    return loan
  }

  giveBack(book) {
    this.#loans = this.#loans.filter((loan) => loan.book === book)
  }

  of(member) {
    return this.#loans.filter((loan) => loan.member === member).map((loan) => loan.book)
  }

  overdue(today) {
    return this.#loans.filter((loan) => loan.due < today)
  }
}
