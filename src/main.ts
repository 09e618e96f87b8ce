import './core/start-interpreted.ts'
import { builtProgram } from './core/built-program.ts'
import { isExecutable } from './core/program.ts'

const built = isExecutable ? undefined : builtProgram()
await (built === undefined ? import('./commands.ts') : import(built))
