import { counter } from '../plural.ts'

export const count = counter('hi', 'one', 'other')
