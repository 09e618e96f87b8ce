import { z } from 'zod'

// The properties that Google's documents require of a discussion, and of a question with answers. A property that they
// do not mention is a fault, because nobody reads it. Source: schema.org, and "Discussion forum structured data" and
// "Q&A structured data" in Google's Search Central.

const Author = z.strictObject({ '@type': z.literal('Person'), name: z.string().min(1) })
const address = z.url({ protocol: /^https?$/ })
const posting = {
  author: Author,
  url: address,
  datePublished: z.iso.datetime(),
  dateModified: z.iso.datetime().optional(),
  text: z.string().min(1).optional(),
  image: address.optional(),
}
/** One of text, image and video is required of a posting and of a comment. */
const shows = ({ text, image }: { text?: string | undefined; image?: string | undefined }) =>
  text !== undefined || image !== undefined
const Answer = z.strictObject({ '@type': z.literal('Answer'), ...posting, text: z.string().min(1) })

export const DiscussionForumPosting = z
  .strictObject({
    '@context': z.literal('https://schema.org'),
    '@type': z.literal('DiscussionForumPosting'),
    headline: z.string().min(1),
    ...posting,
    comment: z.array(z.strictObject({ '@type': z.literal('Comment'), ...posting }).refine(shows)),
  })
  .refine(shows)

export const QAPage = z.strictObject({
  '@context': z.literal('https://schema.org'),
  '@type': z.literal('QAPage'),
  mainEntity: z
    .strictObject({
      '@type': z.literal('Question'),
      name: z.string().min(1),
      ...posting,
      answerCount: z.int().min(1),
      acceptedAnswer: Answer,
      suggestedAnswer: z.array(Answer).min(1).optional(),
    })
    .refine(({ answerCount, suggestedAnswer = [] }) => answerCount === suggestedAnswer.length + 1),
})

/** The structured data of a page, checked; undefined if it has none. */
export function structuredData(html: string) {
  const [, text] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? []
  return text === undefined
    ? undefined
    : z.discriminatedUnion('@type', [DiscussionForumPosting, QAPage]).parse(JSON.parse(text))
}
