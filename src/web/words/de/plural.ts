import { counter } from '../plural.ts'

export const count = counter('de', 'one', 'other')
