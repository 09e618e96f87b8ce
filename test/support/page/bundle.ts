import { join } from 'node:path'
import { builtValues } from '../../../src/core/built-values.ts'

// Writes the web client to stdout as one classic script. A page of the tests evaluates it in a scope of its own, so
// that every page has its own modules; parts that are loaded at the first use are evaluated at the first use too. Runs
// in a process of its own: Bun would bundle the server's variant of a package that the process of the tests has loaded.

const { outputs } = await Bun.build({
  entrypoints: [join(import.meta.dir, '../../../src/web/main.tsx')],
  target: 'browser',
  format: 'iife',
  jsx: { development: false },
  plugins: [builtValues],
  define: {
    'process.env.NODE_ENV': '"production"',
    // Pages of the tests have no notices, no microphone and no worklets.
    ICONS: '{}',
    LEVEL: '""',
    NOISE: '{}',
  },
})
if (!outputs[0]) throw new Error('src/web/main.tsx has no output')
await Bun.write(Bun.stdout, outputs[0])
