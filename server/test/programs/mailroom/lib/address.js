'use strict'

exports.format = function format({ name, street, city, zip }) {
  return [name, street, [zip, city].filter(Boolean).join(' ')].filter(Boolean).join('\n')
}
