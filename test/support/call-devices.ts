import { afterAll, expect } from 'bun:test'
import { call, PASSWORD, type Person } from './harness.ts'
import { connect, type Gateway } from './socket.ts'

const gateways: Gateway[] = []
afterAll(() => gateways.splice(0).forEach((gateway) => gateway.close()))

/** A person's socket, which closes after the tests of the file. */
export async function online(who: Person): Promise<Gateway> {
  const gateway = await connect(who)
  gateways.push(gateway)
  return gateway
}

/** Registers the key of a device for encrypted calls. */
export const register = async (gateway: Gateway, key: string) =>
  expect((await gateway.command('voice.device_key', { key })).d).toEqual({})

/** Another session of an account. */
export async function onOtherDevice(who: Person): Promise<{ token: string; gateway: Gateway }> {
  const body = { email: who.email, password: PASSWORD }
  const { token } = (await call(who.parley, 'POST', '/api/auth/login', { body })).body
  return { token, gateway: await online({ ...who, token } as Person) }
}
