// Printed for the plural categories of the language: bun run words
import { chooser, counter } from '../plural.ts'

export const choose = chooser('uk', 'one', 'few', 'many', 'other')
export const count = counter(choose)
