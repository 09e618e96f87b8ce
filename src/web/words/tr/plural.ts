import { counter } from '../plural.ts'

export const count = counter('tr', 'one', 'other')
