import { buildClient, packClient } from '../api/client-files.ts'

// Writes the built web client to stdout (`packedClient` in src/api/client-files.ts).
await Bun.write(Bun.stdout, packClient(await buildClient()))
