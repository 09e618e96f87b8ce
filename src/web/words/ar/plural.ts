import { counter } from '../plural.ts'

export const count = counter('ar', 'zero', 'one', 'two', 'few', 'many', 'other')
