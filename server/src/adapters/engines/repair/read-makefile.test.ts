import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMakefile } from './read-makefile.ts'
import { splitTestScript } from './split-test-script.ts'

const file = `BIN := ./node_modules/.bin
REPORTER ?= spec
OUT = $(shell date)

.PHONY: test lint

lint:
	$(BIN)/eslint .

build: src/a.js
	@mkdir -p build
	-cp src/a.js \\
	  build/

test: lint build
	@$(BIN)/mocha -R $(REPORTER) # all of them

stamp:
	echo $(OUT) > stamp

check:
	$(MAKE) test
`

test('what make runs for a target is read, with what the target needs', () => {
  const scripts = readMakefile(file)
  assert.deepEqual(scripts, {
    'make lint': './node_modules/.bin/eslint .',
    'make build': 'mkdir -p build && cp src/a.js  build/',
    'make test':
      './node_modules/.bin/eslint . && mkdir -p build && cp src/a.js  build/ && ./node_modules/.bin/mocha -R spec # all of them',
    'make check': 'make test',
  })
})

test('a script that calls make is taken apart where make runs tests that are known', () => {
  const scripts = { test: 'make check', ...readMakefile(file) }
  const parts = splitTestScript('npm test', scripts).map(({ runner, isTest }) => [runner, isTest])
  assert.deepEqual(parts, [
    ['command', false],
    ['command', true],
    ['command', true],
    ['mocha', true],
  ])
  assert.deepEqual(
    splitTestScript('make build', scripts).map(({ text }) => text),
    ['make build'],
  )
})
