import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { installedFolder, managers, packages, type PackageRegistry } from './package-registry.ts'

type Files = Record<string, string>
type Registry = Pick<PackageRegistry, 'url' | 'host' | 'secure' | 'integrity' | 'goSums' | 'checksum'>

const dependencies = { [packages.npm]: '1.0.0' }
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** Fails where its dependency is not installed. */
const nodeTest = `const assert = require('node:assert/strict')
const { test } = require('node:test')
test('has a side', () => assert.equal(require('${packages.npm}')(), 'left'))
`
const manifest = (more: object = {}) =>
  json({ name: 'fixture', version: '1.0.0', private: true, scripts: { test: 'node --test' }, dependencies, ...more })

export function npmRepository({ url, integrity }: Pick<Registry, 'url' | 'integrity'>): Files {
  const resolved = `${url}/${packages.npm}/-/${packages.npm}-1.0.0.tgz`
  const lock = {
    name: 'fixture',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'fixture', version: '1.0.0', dependencies },
      [`node_modules/${packages.npm}`]: { version: '1.0.0', resolved, integrity },
    },
  }
  return {
    'package.json': manifest(),
    'package-lock.json': json(lock),
    '.npmrc': `registry=${url}/\nfetch-retries=0\n`,
    'side.test.js': nodeTest,
    '.gitignore': 'node_modules\n',
  }
}

export function pnpmRepository({ url, integrity }: Registry): Files {
  const lock = `lockfileVersion: '9.0'

settings:
  autoInstallPeers: true
  excludeLinksFromLockfile: false

importers:

  .:
    dependencies:
      ${packages.npm}:
        specifier: 1.0.0
        version: 1.0.0

packages:

  ${packages.npm}@1.0.0:
    resolution: {integrity: ${integrity}}

snapshots:

  ${packages.npm}@1.0.0: {}
`
  return {
    'package.json': manifest({ packageManager: `pnpm@${managers.pnpm}` }),
    'pnpm-lock.yaml': lock,
    '.npmrc': `registry=${url}/\nfetch-retries=0\n`,
    'side.test.js': nodeTest,
    '.gitignore': 'node_modules\n',
  }
}

/** Its lock file, which holds digests of Yarn's own archives, is written by Yarn. Through a proxy it speaks TLS alone. */
export async function yarnRepository({ url, host, secure }: Registry): Promise<Files> {
  const version = managers['@yarnpkg/cli-dist']
  const settings = (registry: string) =>
    `npmRegistryServer: ${registry}\nunsafeHttpWhitelist:\n  - "*"\nnodeLinker: node-modules\nenableTelemetry: false\nenableGlobalCache: false\n`
  const files: Files = {
    'package.json': manifest({ packageManager: `yarn@${version}` }),
    '.npmrc': `registry=${url}/\nfetch-retries=0\n`,
    'side.test.js': nodeTest,
    '.gitignore': 'node_modules\n.yarn\n',
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-yarn-'))
  try {
    const here = `http://127.0.0.1:${host.split(':')[1]}`
    const all = { ...files, '.yarnrc.yml': settings(here), 'yarn.lock': '' }
    for (const [name, text] of Object.entries(all)) writeFileSync(path.join(folder, name), text)
    const program = path.join(installedFolder('@yarnpkg/cli-dist'), 'bin/yarn.js')
    const env = { PATH: process.env.PATH, HOME: folder, YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' }
    // The registry is in this process, which must not wait for it.
    await promisify(execFile)(process.execPath, [program, 'install', '--mode=update-lockfile'], { cwd: folder, env })
    return {
      ...files,
      '.yarnrc.yml': `${settings(secure.url)}httpsCaFilePath: ./registry.pem\n`,
      'registry.pem': secure.certificate,
      'yarn.lock': readFileSync(path.join(folder, 'yarn.lock'), 'utf8'),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function pipRepository({ url }: Registry): Files {
  return {
    'requirements.txt': `--index-url ${url}/simple\n--trusted-host registry.test\n${packages.pip}==1.0.0\n`,
    'test_side.py': `import unittest
import right_side

class Side(unittest.TestCase):
    def test_side(self):
        self.assertEqual(right_side.side(), 'right')
`,
  }
}

/** Where its modules are from, its CI says. */
export function goRepository({ url, goSums }: Registry): Files {
  const [module, own] = goSums
  return {
    'go.mod': `module fixture\n\ngo 1.18\n\nrequire ${packages.go} v1.0.0\n`,
    'go.sum': `${packages.go} v1.0.0 ${module}\n${packages.go} v1.0.0/go.mod ${own}\n`,
    'side_test.go': `package fixture

import (
	"testing"

	"${packages.go}"
)

func TestSide(t *testing.T) {
	if inner.Side() != "inner" {
		t.Fatal(inner.Side())
	}
}
`,
    '.github/workflows/ci.yml': `on: [push]
env:
  GOPROXY: ${url}/go
  GONOSUMDB: '*'
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/setup-go@v5
        with: {go-version-file: go.mod}
      - run: go mod download
      - run: go test ./...
`,
  }
}

/** Debian's Cargo knows this kind of registry as something that is still tried out. */
export function cargoRepository({ url, checksum }: Registry): Files {
  const index = 'registry+https://github.com/rust-lang/crates.io-index'
  return {
    'Cargo.toml': `[package]\nname = "fixture"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n${packages.cargo} = "1.0.0"\n`,
    'Cargo.lock': `version = 3

[[package]]
name = "fixture"
version = "0.1.0"
dependencies = [
 "${packages.cargo}",
]

[[package]]
name = "${packages.cargo}"
version = "1.0.0"
source = "${index}"
checksum = "${checksum}"
`,
    '.cargo/config.toml': `[source.crates-io]\nreplace-with = "here"\n\n[source.here]\nregistry = "sparse+${url}/cargo/"\n\n[unstable]\nsparse-registry = true\n`,
    'src/lib.rs': `#[test]\nfn side() {\n    assert_eq!(outer_side::side(), "outer");\n}\n`,
    '.github/workflows/ci.yml': `on: [push]
jobs:
  test:
    runs-on: ubuntu-latest
    env: {RUSTC_BOOTSTRAP: '1'}
    steps:
      - run: cargo fetch --locked
      - run: cargo test --locked
`,
    '.gitignore': 'target\n',
  }
}
