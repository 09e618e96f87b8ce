import { databaseProblem } from '../../database/database.ts'
import { errorFields } from '../../core/log.ts'
import type { Parts } from '../../parts.ts'
import { Problem } from '../../core/errors.ts'
import type { KeptFrames } from './kept-frames.ts'
import { send } from './model.ts'

/** Thrown for a command whose room has been handed over to this node. */
export class Moved extends Error {
  constructor(readonly node: string) {
    super('The room has been handed over')
  }
}

/** Answers request `n` of a node with the result of the work, once it is done. */
export function answer(
  { nodes, log }: Pick<Parts, 'nodes' | 'log'>,
  frames: KeptFrames,
  node: string,
  n: number,
  op: string,
  work: Promise<unknown>,
): Promise<void> {
  return work.then(
    (d) => send(nodes, node, 'voice.answer', { n, d, frames: frames.newestBefore(d) }),
    (error: unknown) => {
      if (error instanceof Moved) return send(nodes, node, 'voice.answer', { n, moved: error.node })
      const problem = error instanceof Problem ? error : (databaseProblem(error) ?? new Problem('internal'))
      if (problem.code === 'internal') log('error', 'voice.command', { op, ...errorFields(error) })
      const { code, detail, options } = problem
      const errors = options.errors ? { errors: options.errors } : {}
      send(nodes, node, 'voice.answer', { n, error: { code, detail, ...errors } })
    },
  )
}
