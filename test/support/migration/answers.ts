import type { Parley } from '../../../src/parley.ts'
import { exportOf } from '../factors.ts'
import { Person } from '../harness.ts'
import { session } from '../places.ts'

/** Answers for the fixture's accounts, by account and path. */
const QUESTIONS: Record<number, string[]> = {
  1: ['/api/dm/2/messages', '/api/dm/3/messages', '/api/dm/5/messages', '/api/channels/1/messages', '/api/files/2'],
  2: ['/api/dm/1/messages', '/api/dm/6/messages', '/api/dm/6/messages?limit=1', '/api/files/2', '/api/files/4'],
  3: ['/api/dm/1/messages', '/api/dm/4/messages', '/api/files/2', '/api/channels/1/messages'],
  4: ['/api/dm/3/messages', '/api/files/1', '/api/files/4'],
  6: ['/api/dm/2/messages', '/api/files/4', '/api/channels/1/messages'],
}

/** An account of the fixture, with a session. */
export async function fixturePerson(parley: Parley, id: number): Promise<Person> {
  return new Person(parley, id, '', '', '', await session(parley, id))
}

/** Answers of the API to the fixture's accounts: status and body, by account and path. */
export async function fixtureAnswers(parley: Parley): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {}
  for (const [id, paths] of Object.entries(QUESTIONS)) {
    const who = await fixturePerson(parley, Number(id))
    for (const path of ['/api/dm/conversations', ...paths]) {
      const { status, body } = await who.get(path)
      answers[`${id} ${path}`] = { status, body: status < 400 ? body : body.code }
    }
    const { messages, direct_messages, files, read_marks } = (await exportOf(who)).body
    answers[`${id} export`] = { messages, direct_messages, files, read_marks }
  }
  return answers
}
