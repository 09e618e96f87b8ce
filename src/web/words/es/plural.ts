// Printed for the plural categories of the language: bun run words
import { chooser, counter } from '../plural.ts'

export const choose = chooser('es', 'one', 'many', 'other')
export const count = counter(choose)
