import { counter } from '../plural.ts'

export const count = counter('ru', 'one', 'few', 'many', 'other')
