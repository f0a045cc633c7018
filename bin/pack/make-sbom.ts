import { runNpm } from './run-npm.ts'

type Component = { name: string; externalReferences?: { type: string }[] }
type Sbom = { metadata: { component: Component }; components: Component[] }

/**
 * What is installed in a folder, with versions, licenses and digests, as CycloneDX (JSON). Where this machine has it from is left
 * out: that says something of the machine alone.
 */
export function makeSbom(folder: string, name: string): string {
  const sbom = JSON.parse(runNpm(['sbom', '--sbom-format=cyclonedx', '--omit=dev'], folder)) as Sbom
  sbom.metadata.component.name = name
  for (const component of sbom.components)
    component.externalReferences = component.externalReferences?.filter(({ type }) => type !== 'distribution') ?? []
  return `${JSON.stringify(sbom, null, 2)}\n`
}
