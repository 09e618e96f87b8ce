import { expect, test } from 'bun:test'
import { SendCoordinator } from '../../src/events/send-coordinator.ts'
import { person, newServer, say, standard } from '../support/harness.ts'

test('a statement counts until it ends, also when it fails, and listeners hear of both', async () => {
  const coordinator = new SendCoordinator()
  const counts: number[] = []
  coordinator.onUnderway(() => counts.push(coordinator.underway))
  const one = Promise.withResolvers<string>()
  const other = Promise.withResolvers<string>()
  const ends = [coordinator.during(one.promise), coordinator.during(other.promise)]
  expect(coordinator.underway).toBe(2)
  one.resolve('rows')
  expect(await ends[0]).toBe('rows')
  other.reject(new Error('the database is away'))
  await expect(ends[1]).rejects.toThrow('the database is away')
  expect(counts).toEqual([1, 2, 1, 0])
})

test('the functions that change data keep their original fields: nobody assigns to them', async () => {
  const parley = await standard()
  const alice = await person(parley, 'alice')
  const { channel_id } = await newServer(alice)
  await say(alice, channel_id, 'A kingfisher!')
  expect(Object.keys(parley.parts.write)).toEqual(['once'])
})
