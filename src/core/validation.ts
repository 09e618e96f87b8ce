import type { z } from 'zod'
import { type FieldError, Problem } from './errors.ts'

type Issues = Pick<z.ZodError, 'issues'>

/** Errors listed in one answer. */
export const ERRORS_MAX = 20
/** Characters of a field's name repeated in an error. */
const PATH_STEP_CHARS_MAX = 64

/**
 * The rules that a value breaks, each with its field, such as `body.name`. An unknown field is reported under its own
 * name.
 */
export function fieldErrors({ issues }: Issues, root: string): FieldError[] {
  return issues
    .slice(0, ERRORS_MAX)
    .flatMap((issue) => {
      const path = [root, ...issue.path.map((step) => String(step).slice(0, PATH_STEP_CHARS_MAX))]
      if (issue.code !== 'unrecognized_keys') return [{ path: path.join('.'), message: issue.message }]
      return issue.keys
        .slice(0, ERRORS_MAX)
        .map((key) => ({ path: [...path, key.slice(0, PATH_STEP_CHARS_MAX)].join('.'), message: 'Unknown field' }))
    })
    .slice(0, ERRORS_MAX)
}

/**
 * The problem for a value that its schema refuses: `weak_password` if that is the only fault, otherwise
 * `validation_failed`.
 */
export function validationProblem(error: Issues, root: string): Problem {
  const isWeak = error.issues.every((issue) => issue.code === 'custom' && issue.params?.problem === 'weak_password')
  return new Problem(isWeak ? 'weak_password' : 'validation_failed', undefined, { errors: fieldErrors(error, root) })
}
