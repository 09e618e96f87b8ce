import { counter } from '../plural.ts'

export const count = counter('pt', 'one', 'many', 'other')
