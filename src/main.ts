import './core/start-interpreted.ts'
import { builtProgram } from './core/built-program.ts'

await import(builtProgram() ?? './commands.ts')
