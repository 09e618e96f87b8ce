import { counter } from '../plural.ts'

export const count = counter('es', 'one', 'many', 'other')
