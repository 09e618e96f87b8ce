import { counter } from '../plural.ts'

export const count = counter('uk', 'one', 'few', 'many', 'other')
