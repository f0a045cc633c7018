/** The same attacks from containers: the whole suite once more, with a container engine. */
import { tryFromContainers } from './try-from-containers.ts'

await tryFromContainers('runc')
