import { inspect } from 'node:util'

const hidden = '[secret]'

/** A text that no print, log or JSON shows; `reveal` is the only way to it. */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  reveal(): string {
    return this.#text
  }

  toString(): string {
    return hidden
  }

  toJSON(): string {
    return hidden
  }

  [inspect.custom](): string {
    return hidden
  }
}
