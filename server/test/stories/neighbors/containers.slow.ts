/** The same neighbors where sandboxes are containers. */
import { tryFromContainers } from './try-from-containers.ts'

await tryFromContainers('runc')
