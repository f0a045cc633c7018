'use strict'

class Queue {
  constructor(send) {
    this.send = send
    this.waiting = []
    this.failed = []
  }

  add(letter) {
    this.waiting.push(letter)
  }

  async deliver(letter, attempts) {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      try {
        return this.send(letter, attempt)
      } catch (error) {
        if (attempt === attempts) throw error
      }
    }
  }

  async flush(attempts = 3) {
    const sent = []
    while (this.waiting.length > 0) {
      const letter = this.waiting.shift()
      try {
        sent.push(await this.deliver(letter, attempts))
      } catch {
        this.failed.push(letter)
      }
    }
    return sent
  }
}

module.exports = { Queue }
