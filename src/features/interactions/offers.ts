import { createHash } from 'node:crypto'
import { codePoints } from '../../core/schema.ts'
import type { Sql } from '../../database/database.ts'
import { field } from '../../http/answers.ts'
import type { Component, Components, Modal } from '../messages/components.ts'
import { areKnown, type Place } from './options.ts'

/** Answers for one person alone, of one interaction, whose components may be used. */
export const OFFERS_KEPT = 20

/** A component or an input that a person was shown. What it is called and offers is kept as hashes alone. */
export interface Offer {
  id: string
  select?: { of: Extract<Component, { type: 'select' }>['of']; values: string[]; min: number; max: number }
  input?: { required: boolean; max: number }
}

/** What the person alone was shown: components by the number of their answer, and the modal. */
export type Offers = Partial<Record<`${number}` | 'modal', Offer[]>>

/** Long enough that nobody finds another text with the same hash. */
const hash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16)

/** What a component that may be used offers. */
export function offerOf(component: Exclude<Component, { type: 'link' }>): Offer {
  const id = hash(component.custom_id)
  if (component.type === 'button') return { id }
  const { of, min, max, options } = component
  return { id, select: { of, min, max, values: options.map(({ value }) => hash(value)) } }
}

/** The components of rows that may be used. */
const usable = (rows: Components) =>
  rows.flat().flatMap((component) => (component.type === 'link' || component.disabled ? [] : [component]))

/** What rows of components offer. */
export const offersIn = (rows: Components): Offer[] => usable(rows).map(offerOf)

/** A component of these rows that may be used. */
export const componentIn = (rows: Components, custom_id: string) =>
  usable(rows).find((component) => component.custom_id === custom_id)

/** What a modal offers: itself first, then its inputs. */
export const offersOf = ({ custom_id, inputs }: Modal): Offer[] => [
  { id: hash(custom_id) },
  ...inputs.map((input) => ({ id: hash(input.custom_id), input: { required: input.required, max: input.max } })),
]

/**
 * The component that a person was shown.
 * @param answer the number of the answer; null for the newest that has it
 */
export function offered(offers: Offers, answer: number | null, custom_id: string) {
  const id = hash(custom_id)
  const numbers = Object.keys(offers)
    .flatMap((key) => (key === 'modal' ? [] : [Number(key)]))
    .toSorted((one, other) => other - one)
  for (const number of answer === null ? numbers : [answer]) {
    const offer = offers[`${number}`]?.find((each) => each.id === id)
    if (offer) return { offer, answer: number }
  }
  return undefined
}

/**
 * Demands that values are what a component offers, and that the person knows whom or what they name.
 * @throws Problem `validation_failed`
 */
export async function demandValues(sql: Sql, { select }: Offer, values: string[], place: Place): Promise<void> {
  if (!select) {
    if (values.length > 0) throw field('values', 'Only a select has values')
    return
  }
  const { of, min, max } = select
  const isOffered = (value: string) =>
    of === 'string' ? select.values.includes(hash(value)) : /^\d{1,15}$/.test(value)
  if (values.length < min || values.length > max || !values.every(isOffered) || new Set(values).size < values.length)
    throw field('values', 'Must be what the select offers')
  if (of !== 'string' && !(await areKnown(sql, of, values.map(Number), place)))
    throw field('values', `There is no such ${of}`)
}

/**
 * Demands that fields are of the modal that the person was shown, and filled in as it wants them.
 * @returns whether it was this modal
 * @throws Problem `validation_failed`
 */
export function demandFields(offers: Offers, custom_id: string, values: Record<string, string>): boolean {
  const [modal, ...inputs] = offers.modal ?? []
  if (modal?.id !== hash(custom_id)) return false
  const given = new Map(Object.entries(values).map(([id, value]) => [hash(id), value]))
  for (const { id, input } of inputs) {
    const value = given.get(id) ?? ''
    given.delete(id)
    if (!input) continue
    if (input.required && value.trim() === '') throw field('values', 'What is required must be filled in')
    if (codePoints(value) > input.max) throw field('values', `Must be at most ${input.max} characters long`)
  }
  if (given.size > 0) throw field('values', 'Must be of the modal’s inputs')
  return true
}
