import { counter } from '../plural.ts'

export const count = counter('zh', 'other')
