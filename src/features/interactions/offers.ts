import { createHash } from 'node:crypto'
import type { Events } from '../../core/events.ts'
import { codePoints } from '../../core/schema.ts'
import type { Sql } from '../../database/database.ts'
import { field } from '../../http/answers.ts'
import type { Component, Components, Modal } from '../messages/components.ts'
import { areKnown, type Place } from './options.ts'

/** Ephemeral answers per interaction whose components stay usable. */
export const OFFERS_KEPT = 20

/** A component or an input that a person was shown. Its id and options are stored only as hashes. */
export interface Offer {
  id: string
  select?: { of: Extract<Component, { type: 'select' }>['of']; values: string[]; min: number; max: number }
  input?: { required: boolean; max: number }
  /** A select in a modal, which may be left empty unless it is required. */
  isOptional?: boolean
}

/** The components of ephemeral answers, by the number of the answer, and of the modal. */
export type Offers = Partial<Record<`${number}` | 'modal', Offer[]>>

/** Long enough that nobody can find another text with the same hash. */
const hash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16)

/** The stored form of a component. */
export function offerOf(component: Exclude<Component, { type: 'link' }>): Offer {
  const id = hash(component.custom_id)
  if (component.type === 'button') return { id }
  const { of: kind, min, max, options } = component
  return { id, select: { of: kind, min, max, values: options.map(({ value }) => hash(value)) } }
}

/** The components of rows that can be used; links cannot. */
const usableComponents = (rows: Components) =>
  rows.flat().flatMap((component) => (component.type === 'link' || component.disabled ? [] : [component]))

export const offersIn = (rows: Components): Offer[] => usableComponents(rows).map(offerOf)

export const componentIn = (rows: Components, custom_id: string) =>
  usableComponents(rows).find((component) => component.custom_id === custom_id)

/** The stored form of a modal: the modal first, then its inputs. */
export const offersOf = ({ custom_id, inputs }: Modal): Offer[] => [
  { id: hash(custom_id) },
  ...inputs.map(({ custom_id, required, max, select }): Offer => {
    const id = hash(custom_id)
    if (!select) return { id, input: { required, max } }
    const values = select.options.map(({ value }) => hash(value))
    return { id, select: { of: select.of, min: select.min, max: select.max, values }, isOptional: !required }
  }),
]

/**
 * The component that a person was shown.
 * @param answer the number of the answer; null for the newest that contains the component
 */
export function findOffer(offers: Offers, answer: number | null, custom_id: string) {
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
 * Demands that values are among those that the component offers, and that the person can see what they refer to.
 * @throws Problem `validation_failed`
 */
export async function demandValues(sql: Sql, { select }: Offer, values: string[], place: Place): Promise<void> {
  if (!select) {
    if (values.length > 0) throw field('values', 'Only a select has values')
    return
  }
  const { of: kind, min, max } = select
  const isOffered = (value: string) =>
    kind === 'string' ? select.values.includes(hash(value)) : /^\d{1,15}$/.test(value)
  if (values.length < min || values.length > max || !values.every(isOffered) || new Set(values).size < values.length)
    throw field('values', 'Must be among the options of the select')
  if (kind !== 'string' && !(await areKnown(sql, kind, values.map(Number), place)))
    throw field('values', `There is no such ${kind}`)
}

/** A form as a person filled it in. */
interface Filled {
  custom_id: string
  /** Texts, by the custom ids of their inputs. */
  values: Record<string, string>
  /** The choices in selects, by their custom ids. */
  choices: Record<string, string[]>
}

/** A choice with the kind of its select. */
type Chosen = Events['interaction.created']['choices'][string]

/**
 * Demands that fields are those of the modal that the person was shown, with valid values.
 * @returns what was chosen in its selects; undefined if this is another modal
 * @throws Problem `validation_failed`
 */
export async function demandFields(
  sql: Sql,
  offers: Offers,
  { custom_id, values, choices }: Filled,
  place: Place,
): Promise<Record<string, Chosen> | undefined> {
  const [modal, ...inputs] = offers.modal ?? []
  if (modal?.id !== hash(custom_id)) return undefined
  const valuesByHash = new Map(Object.entries(values).map(([id, value]) => [hash(id), value]))
  const choicesByHash = new Map(Object.entries(choices).map(([id, chosen]) => [hash(id), { id, chosen }]))
  const result: [string, Chosen][] = []
  for (const { id, input, select, isOptional } of inputs) {
    if (select) {
      const answered = choicesByHash.get(id)
      // The server has only a hash of its custom id, so it cannot add the select, and programs fail without it.
      if (!answered) throw field('choices', 'Must name each select of the modal')
      const { id: custom, chosen } = answered
      choicesByHash.delete(id)
      if (!(isOptional && chosen.length === 0)) await demandValues(sql, { id, select }, chosen, place)
      result.push([custom, { of: select.of, values: chosen }])
      continue
    }
    const value = valuesByHash.get(id) ?? ''
    valuesByHash.delete(id)
    if (!input) continue
    if (input.required && value.trim() === '') throw field('values', 'What is required must be filled in')
    if (codePoints(value) > input.max) throw field('values', `Must be at most ${input.max} characters long`)
  }
  if (valuesByHash.size > 0) throw field('values', 'Must be inputs of the modal')
  if (choicesByHash.size > 0) throw field('choices', 'Must be selects of the modal')
  return Object.fromEntries(result)
}
