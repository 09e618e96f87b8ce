import type { z } from 'zod'
import { databaseProblem } from '../../database/database.ts'
import { errorFields } from '../../core/log.ts'
import type { Parts } from '../../parts.ts'
import { Problem } from '../../core/errors.ts'
import { fieldErrors } from '../../core/validation.ts'
import { voiceCommands } from '../model.ts'
import type { KeptFrames } from './kept-frames.ts'
import { type Commands, type Payload, send } from './model.ts'

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

const payloads: { [K in keyof Commands]: { d: { safeParse(d: unknown): z.ZodSafeParseResult<Payload<K>> } } } =
  voiceCommands

/** @throws Problem `validation_failed` */
export function parseCommand<K extends keyof Commands>(op: K, d: unknown): Payload<K> {
  const parsed = payloads[op].d.safeParse(d)
  if (!parsed.success) throw new Problem('validation_failed', undefined, { errors: fieldErrors(parsed.error, 'd') })
  return parsed.data
}
