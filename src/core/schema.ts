import { z } from 'zod'
import { customEmojiId, EMOJI_UNITS_MAX, unicodeEmoji } from './emoji.ts'
import { isCall, isReserved } from './look-alikes.ts'
import { showsNothing } from './markup/references.ts'
import { isVisible, withoutHidden } from './visible.ts'
import { errorCodes, type ErrorCode, secondFactorMethods } from './errors.ts'

/** An id in a body, an answer or a frame. */
export const Id = z.int().min(1).max(Number.MAX_SAFE_INTEGER).meta({ example: 42 })

/** An id in a path or a query: decimal digits only, below 2^53. */
export const DecimalId = z
  .string()
  .regex(/^[0-9]{1,16}$/, 'Must be decimal digits')
  .refine((digits) => Number(digits) <= Number.MAX_SAFE_INTEGER, 'Must be below 2^53')
  .transform(Number)
  .meta({ type: 'integer', minimum: 0, pattern: undefined, example: 42 })

/** An integer in a query: decimal digits only, within the bounds. */
export const decimal = (min: number, max: number) =>
  z
    .string()
    .regex(/^[0-9]{1,9}$/, 'Must be decimal digits')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max, pattern: undefined })

/** The ids in a parameter of a query: separated by commas, in repeated parameters, or both. */
export const idsIn = (sent: string | string[]): string[] => [sent].flat().flatMap((ids) => ids.split(','))

/** A list of ids in a query. */
export const idList = (max: number) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform(idsIn)
    .pipe(z.array(DecimalId).max(max))
    .meta({ type: 'array', items: { type: 'integer' }, maxItems: max, anyOf: undefined, example: [7, 42] })

/** ISO 8601, UTC, milliseconds. */
export const Time = z.iso.datetime({ precision: 3 }).meta({ example: '2026-05-05T12:00:00.000Z' })

const [EARLIEST, LATEST] = [Date.UTC(1970), Date.UTC(10_000) - 1]

/** Parses a client's time in any form that the schema accepts, and stores it as `Time`. */
export const moment = (schema: z.ZodType<string>) =>
  schema
    .refine((value) => Date.parse(value) >= EARLIEST && Date.parse(value) <= LATEST, {
      abort: true,
      message: 'Must be of the years 1970 to 9999',
    })
    .overwrite((value) => new Date(value).toISOString())

/** A time sent by a client, RFC 3339: fractions of a second are optional, any offset is allowed. */
export const GivenTime = moment(z.iso.datetime({ offset: true })).meta({ example: '2026-05-05T12:00:00Z' })

/** Counts code points, the unit of every text limit. */
export const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** NFC composes at most four UTF-16 units into one code point (e.g. ᾂ), so raw input may be four times longer. */
const UNITS_PER_CODE_POINT_MAX = 4
/**
 * Limits runs of combining marks, because normalising them takes quadratic time. Source: UAX #15 §13, the stream-safe
 * text format.
 */
const MARKS_IN_A_ROW_MAX = 30
const MARK_RUN = new RegExp(`\\p{M}{${MARKS_IN_A_ROW_MAX + 1}}`, 'u')

/** True if the text may fit the limit once it is normalised. O(1): check this before anything else. */
export const fits = (value: string, codePointsMax: number): boolean =>
  value.length <= UNITS_PER_CODE_POINT_MAX * codePointsMax

/** True if the text is cheap to normalise. O(n). */
export const isStreamSafe = (value: string): boolean => !MARK_RUN.test(value)

/**
 * A string whose length is checked before any transform or pattern runs on it.
 * @param max code points
 * @param message the error for a longer string
 */
export const bounded = (max: number, message: string) =>
  z.string().refine((value) => fits(value, max), { abort: true, message })

/** Text as people write it: NFC, limited in code points, without NUL, lone surrogates and endless combining marks. */
export const text = (min: number, max: number, transform = (value: string) => value) => {
  const message = `Must be ${min} to ${max} characters long`
  return bounded(max, message)
    .refine(isStreamSafe, {
      abort: true,
      message: `Must not contain more than ${MARKS_IN_A_ROW_MAX} combining marks in a row`,
    })
    .refine((value) => value.isWellFormed(), 'Must not contain lone surrogates')
    .refine((value) => !value.includes('\0'), 'Must not contain NUL')
    .overwrite((value) => transform(value.normalize('NFC')))
    .refine((value) => {
      const length = codePoints(value)
      return length >= min && length <= max
    }, message)
    .meta({ minLength: min, maxLength: max })
}

/**
 * One line of visible text. Control characters are refused; characters that are invisible or reorder text are removed.
 */
export const line = (max: number) =>
  text(1, max, (value) => withoutHidden(value).normalize('NFC'))
    .refine((value) => !/[\p{Cc}\u2028\u2029]/u.test(value), 'Must not contain control characters')
    .refine(isVisible, 'Must not be blank')

/** Name of an author or recipient. Refuses names that look like a mass mention or like the server itself. */
export const ownName = (max: number) =>
  line(max).refine((value) => !isReserved(value), 'Must not look like "System", "everyone", "here" or "Deleted user"')

/** Name of a server or channel. Refuses names that look like a mass mention. */
export const placeName = (max: number) =>
  line(max).refine((value) => !isCall(value), 'Must not look like "everyone" or "here"')

/** An emoji in a path or body; Unicode emoji in fully-qualified form. */
export const Emoji = z
  .string()
  .refine((text) => text.length <= EMOJI_UNITS_MAX, { abort: true, message: 'Must be an emoji' })
  .overwrite((text) => unicodeEmoji(text) ?? text)
  .refine(
    (text) => customEmojiId(text) !== undefined || unicodeEmoji(text) !== undefined,
    'Must be an emoji, or name:id of a custom one',
  )
  .meta({ example: '👍' })

/** Text of a message. Counts as empty if nothing in it is visible. */
export const shownText = (max: number) => text(0, max, (value) => (showsNothing(value) ? '' : value))

/** True if a text is a storable http or https address: no white space and no control characters. */
export const isWebAddress = (url: string): boolean =>
  /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) && URL.canParse(url) && url.isWellFormed()

/** A PUT body: every field optional, at least one present. */
export const patch = <S extends z.ZodRawShape>(shape: S) =>
  z
    .strictObject(shape)
    .partial()
    .refine((body) => Object.keys(body).length > 0, 'At least one field is required')

export const ProblemBody = z
  .object({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int(),
    code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
    detail: z.string(),
    request_id: z.string().optional(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    retry_after: z.int().optional(),
  })
  .meta({ title: 'Problem', description: 'RFC 9457 problem details' })

/** The problem that a login answers; a second factor may complete it. */
export const LoginProblem = ProblemBody.extend({
  pending_token: z.string().optional().describe('of `second_factor_required`: for POST /api/auth/login/second'),
  methods: z
    .array(z.enum(secondFactorMethods))
    .optional()
    .describe('of `second_factor_required`: what the login may go on with'),
}).meta({ title: 'LoginProblem' })

/** The public fields of an account. */
export const PublicUser = z
  .object({
    id: Id,
    display_name: z.string(),
    avatar_file_id: Id.nullable(),
    kind: z
      .enum(['person', 'bot', 'webhook', 'imported', 'guest'])
      .describe(
        '`imported` stands for the author of messages that were moved in from elsewhere; `guest` is an account ' +
          'for a day in one server',
      ),
  })
  .meta({ title: 'PublicUser' })
export type PublicUser = z.infer<typeof PublicUser>

/** The answer of actions that create nothing. */
export const Done = z.object({ message: z.string() }).meta({ title: 'Done' })

/** Codes of every route. */
const EVERYWHERE: ErrorCode[] = ['bad_request', 'rate_limited', 'internal', 'unavailable']

type Answers = Record<number, z.ZodType>

/** Cache of the problem schemas by description, because hundreds of routes share them. */
const problems = new Map<string, z.ZodType>()

/** Schema of a problem with one of these codes, which share a status. */
function problemOf(codes: ErrorCode[]): z.ZodType {
  const schema = codes.includes('second_factor_required') ? LoginProblem : ProblemBody
  const description = [...new Set(codes)].map((code) => `\`${code}\`: ${errorCodes[code].title}`).join('; ')
  const problem = problems.get(description) ?? schema.describe(description)
  problems.set(description, problem)
  return problem
}

/**
 * The `response` of a route: its answers, and its problems.
 * @param codes the route's own; those that every route has are added
 */
export function answers<A extends Answers>(good: A, ...codes: ErrorCode[]): A {
  const byStatus = Map.groupBy([...EVERYWHERE, ...codes], (code) => errorCodes[code].status)
  return {
    ...good,
    ...Object.fromEntries([...byStatus].map(([status, statusCodes]) => [status, problemOf(statusCodes)])),
  }
}

/** Body of a POST without input: absent, or an empty object. */
export const NoBody = z.strictObject({}).meta({ title: 'NoBody' })

/** The 204 of a DELETE. */
export const Nothing = z.undefined().describe('Done; no body')
