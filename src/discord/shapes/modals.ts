import { z } from 'zod'
import type { Events } from '../../core/events.ts'
import type { Kind, Lookup } from '../lookup.ts'
import { idsIn, parleyText } from '../content.ts'
import { chosenAmong, SELECTS } from './components.ts'

// Modals, in both directions: labels around a text input or a select, rows of one of them, and texts.

const ROW = 1
const TEXT_INPUT = 4
const TEXT = 10
const LABEL = 18
/** Components of a modal, texts among them. Discord takes five. */
const PARTS_MAX = 10

const TextInput = z.object({
  type: z.literal(TEXT_INPUT, 'Parley has only text inputs and selects in modals'),
  custom_id: z.string(),
  label: z.string().nullish(),
  style: z.int().optional(),
  required: z.boolean().nullish(),
  max_length: z.int().nullish(),
  value: z.string().nullish(),
})
const Select = z.object({
  type: z.union([z.literal(3), z.literal(5), z.literal(6), z.literal(7), z.literal(8)]),
  custom_id: z.string(),
  label: z.string().nullish(),
  placeholder: z.string().nullish(),
  required: z.boolean().nullish(),
  min_values: z.int().min(0).max(25).nullish(),
  max_values: z.int().nullish(),
  options: z
    .array(
      z.object({
        label: z.string(),
        value: z.string(),
        description: z.string().nullish(),
        default: z.boolean().nullish(),
      }),
    )
    .max(25)
    .nullish(),
})
const Input = z.discriminatedUnion('type', [TextInput, Select])
type Input = z.infer<typeof Input>
const Part = z.discriminatedUnion('type', [
  z.object({ type: z.literal(ROW), components: z.array(Input).length(1) }),
  z.object({ type: z.literal(LABEL), label: z.string(), description: z.string().nullish(), component: Input }),
  z.object({ type: z.literal(TEXT), content: z.string().max(4000) }),
])
export const ModalBody = z.object({
  custom_id: z.string(),
  title: z.string(),
  components: z.array(Part).max(PARTS_MAX),
})
type ModalBody = z.infer<typeof ModalBody>

function selectOf({ type, placeholder, min_values, max_values, options }: Extract<Input, { options?: unknown }>) {
  const of = chosenAmong(type)
  return {
    of,
    placeholder: placeholder ?? '',
    // A select that is not required may be left empty, whatever its minimum.
    min: Math.max(min_values ?? 1, 1),
    max: max_values ?? 1,
    options:
      of === 'string'
        ? (options ?? []).map(({ label, value, description }) => ({ label, value, description: description ?? '' }))
        : [],
    chosen: of === 'string' ? (options ?? []).flatMap((option) => (option.default ? [option.value] : [])) : [],
  }
}

function inputOf(input: Input) {
  const { custom_id, required } = input
  if (input.type !== TEXT_INPUT)
    return { custom_id, required: (required ?? true) && input.min_values !== 0, select: selectOf(input) }
  const { style, max_length, value } = input
  return {
    custom_id,
    required: required ?? true,
    style: style === 2 ? 'paragraph' : 'short',
    max: max_length ?? 4000,
    value: value ?? '',
  }
}

/** The ids in the texts of a modal. */
export const idsInModal = ({ components }: ModalBody) =>
  idsIn(components.map((part) => (part.type === TEXT ? part.content : '')).join('\n'))

/**
 * A modal as Parley's API takes it, which validates it. A text stands above the input that follows it.
 * @param idOf the ids of what its texts name
 */
export function parleyModal(
  { custom_id, title, components }: ModalBody,
  idOf: (kind: Kind, snowflake: string) => number | undefined,
): unknown {
  const inputs: object[] = []
  let texts: string[] = []
  for (const part of components) {
    if (part.type === TEXT) {
      texts.push(parleyText(part.content, idOf))
      continue
    }
    const input = part.type === LABEL ? part.component : part.components[0]
    if (!input) continue
    const description = part.type === LABEL ? part.description : undefined
    inputs.push({
      ...inputOf(input),
      label: (part.type === LABEL ? part.label : input.label) ?? '',
      ...(description ? { description } : {}),
      ...(texts.length > 0 ? { above: texts.join('\n') } : {}),
    })
    texts = []
  }
  return { custom_id, title, inputs, ...(texts.length > 0 ? { below: texts.join('\n') } : {}) }
}

type Submitted = Pick<Events['interaction.created'], 'fields' | 'choices'>

/** The fields of a modal that a person submitted. Older libraries read text inputs only in rows. */
export const submittedFields = (of: Lookup, { fields, choices }: Submitted) => [
  ...Object.entries(fields).map(([custom_id, value], at) => ({
    type: ROW,
    id: 2 * at + 1,
    components: [{ type: TEXT_INPUT, id: 2 * at + 2, custom_id, value }],
  })),
  ...Object.entries(choices).map(([custom_id, { of: kind, values }], at) => {
    const id = 2 * (Object.keys(fields).length + at) + 1
    const written = kind === 'string' ? values : values.map((value) => of.id(kind, Number(value)))
    return { type: LABEL, id, component: { type: SELECTS[kind], id: id + 1, custom_id, values: written } }
  }),
]

/** People, roles and channels that are chosen in a modal. */
export const chosenIn = ({ choices }: Pick<Submitted, 'choices'>) =>
  Object.values(choices).flatMap(({ of: type, values }) =>
    type === 'string' ? [] : values.map((value) => ({ type, id: Number(value) })),
  )
