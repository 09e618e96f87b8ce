import './core/start-interpreted.ts'
import { builtProgram } from './core/built-program.ts'
import { announce } from './core/log.ts'

const built = builtProgram()
// A command ends before memory matters, so only warn about the server.
if ('lack' in built && process.argv[2] === undefined)
  announce(process.stderr, 'warn', 'build.none', {
    message: `Parley runs from its sources, which takes more memory: ${built.lack}`,
  })
await import('path' in built ? built.path : './commands.ts')
