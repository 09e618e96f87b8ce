import { counter } from '../plural.ts'

export const count = counter('ja', 'other')
