#!/bin/sh
# The whole truth about form: format, lint with the import table, types, and generated files that are fresh.
set -eu
cd "$(dirname "$0")/.."
node24="node bin/node24.mjs"
$node24 node_modules/oxfmt/bin/oxfmt --check .
$node24 node_modules/oxlint/bin/oxlint --deny-warnings
$node24 bin/check-imports.ts
node node_modules/typescript/bin/tsc -p .
node node_modules/typescript/bin/tsc -p web
$node24 bin/generate.ts --check
