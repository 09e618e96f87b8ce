import './core/start-interpreted.ts'
import { builtProgram } from './core/built-program.ts'
import { announce } from './core/log.ts'

const program = builtProgram()
// A command ends before memory matters, so only warn about the server.
if ('lack' in program && process.argv[2] === undefined)
  announce(process.stderr, 'warn', 'build.none', {
    message: `Parley runs from its sources, which takes more memory: ${program.lack}`,
  })
await import('path' in program ? program.path : './commands.ts')
