/** The same neighbors in containers of Docker. */
import { tryFromContainers } from './try-from-containers.ts'

await tryFromContainers('docker')
