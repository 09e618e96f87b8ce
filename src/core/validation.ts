import type { z } from 'zod'
import { type FieldError, Problem } from './errors.ts'

type Issues = Pick<z.ZodError, 'issues'>

/** Every rule that a value breaks, with the path: `body.name`. An unknown field is named itself. */
export function fieldErrors({ issues }: Issues, root: string): FieldError[] {
  return issues.flatMap((issue) => {
    const path = [root, ...issue.path.map(String)]
    if (issue.code !== 'unrecognized_keys') return [{ path: path.join('.'), message: issue.message }]
    return issue.keys.map((key) => ({ path: [...path, key.slice(0, 64)].join('.'), message: 'Unknown field' }))
  })
}

/** The problem of a value that its schema refuses: `validation_failed`, or `weak_password` where only that is wrong. */
export function validationProblem(error: Issues, root: string): Problem {
  const weak = error.issues.every((issue) => issue.code === 'custom' && issue.params?.problem === 'weak_password')
  return new Problem(weak ? 'weak_password' : 'validation_failed', undefined, { errors: fieldErrors(error, root) })
}
