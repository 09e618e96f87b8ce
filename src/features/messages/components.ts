import { z } from 'zod'
import { field } from '../../http/answers.ts'
import { Id, isWebAddress, line, shownText, text } from '../../core/schema.ts'

const ROWS_MAX = 5
const BUTTONS_MAX = 5
const OPTIONS_MAX = 25
const INPUTS_MAX = 5
/** Length of all texts around the inputs of a form. */
const FORM_TEXTS_MAX = 4000

export const CustomId = text(1, 100).meta({ example: 'again' })
const Label = line(80)

const Button = z.strictObject({
  type: z.literal('button'),
  style: z.enum(['primary', 'secondary', 'success', 'danger']).default('secondary'),
  label: Label,
  custom_id: CustomId,
  disabled: z.boolean().default(false),
})
const Link = z.strictObject({
  type: z.literal('link'),
  label: Label,
  url: z
    .string()
    .max(2048)
    .refine(isWebAddress, 'Must be an http or https URL')
    .meta({ example: 'https://example.org/rules' }),
})
export const SelectKind = z.enum(['string', 'user', 'role', 'channel'])
const SelectOptions = z
  .array(z.strictObject({ label: line(100), value: text(1, 100), description: text(0, 100).default('') }))
  .max(OPTIONS_MAX)
  .default([])
  .describe('only of strings')
const Select = z.strictObject({
  type: z.literal('select'),
  of: SelectKind.default('string'),
  custom_id: CustomId,
  placeholder: z.union([z.literal(''), line(150)]).default(''),
  options: SelectOptions,
  min: z.int().min(0).max(OPTIONS_MAX).default(1),
  max: z.int().min(1).max(OPTIONS_MAX).default(1),
  disabled: z.boolean().default(false),
})
export const Component = z.discriminatedUnion('type', [Button, Link, Select])
export type Component = z.infer<typeof Component>

const customIdsIn = (rows: Component[][]): string[] =>
  rows.flat().flatMap((component) => (component.type === 'link' ? [] : [component.custom_id]))

/** Rows of buttons, or of one select each. */
export const Components = z
  .array(z.array(Component).min(1).max(BUTTONS_MAX))
  .max(ROWS_MAX)
  .refine((rows) => rows.every((row) => row.length === 1 || row.every(({ type }) => type !== 'select')), {
    message: 'A select must be the only component of its row',
  })
  .refine((rows) => {
    const ids = customIdsIn(rows)
    return new Set(ids).size === ids.length
  }, 'Must not repeat a custom id')
export type Components = z.infer<typeof Components>

/** Total size of a message's components and cards as JSON, bytes. */
const DATA_MAX = 32 * 1024

/** @throws Problem `validation_failed` if components and cards together are too large */
export function demandSmall(components: Components, embeds: unknown[]): void {
  if (Buffer.byteLength(JSON.stringify([components, embeds])) > DATA_MAX)
    throw field('components', 'Components and cards must hold at most 32 KiB together')
}

/** A choice in a form. It may be left empty if its input is not required. */
const ModalSelect = z
  .strictObject({
    of: SelectKind.default('string'),
    placeholder: z.union([z.literal(''), line(150)]).default(''),
    options: SelectOptions,
    chosen: z.array(text(1, 100)).max(OPTIONS_MAX).default([]).describe('values that are preselected; only of strings'),
    min: z.int().min(1).max(OPTIONS_MAX).default(1),
    max: z.int().min(1).max(OPTIONS_MAX).default(1),
  })
  .refine(({ min, max }) => min <= max, { path: ['min'], message: 'Must be at most max' })
  .refine((select) => (select.of === 'string' ? select.options.length >= select.min : select.options.length === 0), {
    path: ['options'],
    message: 'A select of strings needs at least min options; others have none',
  })
  .refine(({ options }) => new Set(options.map(({ value }) => value)).size === options.length, {
    path: ['options'],
    message: 'Must not repeat a value',
  })
  .refine(({ options, chosen }) => chosen.every((value) => options.some((option) => option.value === value)), {
    path: ['chosen'],
    message: 'Must be among the options of the select',
  })
const FormText = shownText(FORM_TEXTS_MAX)

/** A form that answers an interaction. */
export const Modal = z
  .strictObject({
    custom_id: CustomId,
    title: line(45).meta({ example: 'A new poll' }),
    inputs: z
      .array(
        z.strictObject({
          custom_id: CustomId,
          label: line(45),
          description: line(100).optional().describe('what stands below the label'),
          above: FormText.optional().describe('a text above the input'),
          style: z.enum(['short', 'paragraph']).default('short'),
          required: z.boolean().default(true),
          max: z.int().min(1).max(4000).default(4000).describe('characters'),
          value: text(0, 4000).default('').describe('what stands there at first'),
          select: ModalSelect.optional().describe('a choice instead of a text; style, max and value have no effect'),
        }),
      )
      .min(1)
      .max(INPUTS_MAX)
      .refine((inputs) => new Set(inputs.map(({ custom_id }) => custom_id)).size === inputs.length, {
        message: 'Must not repeat a custom id',
      }),
    below: FormText.optional().describe('a text below the inputs'),
  })
  .refine(
    ({ inputs, below = '' }) =>
      inputs.reduce((sum, { above = '' }) => sum + above.length, below.length) <= FORM_TEXTS_MAX,
    { path: ['inputs'], message: `Texts around inputs must hold at most ${FORM_TEXTS_MAX} characters together` },
  )
  .meta({ title: 'Modal' })
export type Modal = z.infer<typeof Modal>

/** The interaction that a bot's message answers, and the person who asked. */
export const Answering = z.object({
  name: z.string().nullable().describe('the command; null for a component or a modal'),
  user_id: Id,
})
export type Answering = z.infer<typeof Answering>
