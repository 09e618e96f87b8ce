import { counter } from '../plural.ts'

export const count = counter('pl', 'one', 'few', 'many', 'other')
