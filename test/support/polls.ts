import type { Person } from './harness.ts'

/** Votes in a poll of the other one's. @returns the message */
export async function votedIn(who: Person, other: Person, channelId: number): Promise<number> {
  const poll = { question: 'Which?', answers: [{ text: 'One' }, { text: 'Two' }] }
  const { body } = await other.post(`/api/channels/${channelId}/messages`, { poll })
  await who.put(`/api/messages/${body.id}/poll/votes`, { answer_ids: [2] })
  return body.id
}
