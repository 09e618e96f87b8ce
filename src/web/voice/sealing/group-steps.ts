import {
  type ClientState,
  defaultLifetime,
  emptyPskIndex,
  generateKeyPackageWithKey,
  joinGroup,
  type KeyPackage,
  type PrivateKeyPackage,
  processPublicMessage,
  type Proposal,
} from 'ts-mls'
import { verifyKeyPackage } from 'ts-mls/keyPackage.js'
import { verifyLeafNodeSignatureKeyPackage } from 'ts-mls/leafNode.js'
import { credentialOf } from './leaves.ts'
import type { DeviceProof, Member } from './members.ts'
import { CAPABILITIES, decoded, suite } from './mls.ts'

/** A key package of this member, and its secrets. */
export interface OwnPackage {
  publicPackage: KeyPackage
  privatePackage: PrivateKeyPackage
}

/** Makes a key package. @param confirm lets the device confirm its key */
export async function ownPackage(
  self: Member,
  confirm: (signatureKey: Uint8Array) => Promise<DeviceProof>,
): Promise<OwnPackage> {
  const key = await (await suite()).signature.keygen()
  const credential = credentialOf(self, await confirm(key.publicKey))
  return generateKeyPackageWithKey(credential, CAPABILITIES, defaultLifetime, [], key, await suite())
}

/**
 * Checks the signatures of a key package. A commit that adds several bad ones would fail as a whole, and ts-mls would
 * leave the failures of all but one unhandled.
 * @throws Error if one is not genuine
 */
export async function demandSigned(keyPackage: KeyPackage): Promise<void> {
  const { leafNode } = keyPackage
  const { signature } = await suite()
  // The type allows leaves of other origins, which have other signatures.
  const isOfPackage = leafNode.leafNodeSource === 'key_package'
  if (!isOfPackage || !(await verifyLeafNodeSignatureKeyPackage(leafNode, signature)))
    throw new Error('The leaf of a key package is not signed')
  if (!(await verifyKeyPackage(keyPackage, signature))) throw new Error('A key package is not signed')
}

/** The state of a group into which a welcome leads. @throws Error if it is none, or leads into another group */
export async function welcomed(data: string, own: readonly OwnPackage[], group: string): Promise<ClientState> {
  const message = decoded(data)
  if (message.wireformat !== 'mls_welcome') throw new Error('Not a welcome')
  const { welcome } = message
  let [state, fault] = [undefined as ClientState | undefined, new Error('A welcome for nothing') as unknown]
  for (const { publicPackage, privatePackage } of own)
    state ??= await joinGroup(welcome, publicPackage, privatePackage, emptyPskIndex, await suite()).catch(
      (error: unknown) => void (fault = error),
    )
  if (!state) throw fault
  if (new TextDecoder().decode(state.groupContext.groupId) !== group) throw new Error('A welcome to another group')
  return state
}

/** The state after another member's commit. @throws Error if it is not acceptable */
export async function followed(state: ClientState, data: string): Promise<ClientState> {
  const message = decoded(data)
  if (message.wireformat !== 'mls_public_message') throw new Error('Not a commit')
  const isPlain = ({ proposal: { proposalType } }: { proposal: Proposal }) =>
    proposalType === 'add' || proposalType === 'remove'
  const { newState, actionTaken } = await processPublicMessage(
    state,
    message.publicMessage,
    emptyPskIndex,
    await suite(),
    // Commits by members only, of nothing but joins and leaves.
    (incoming) =>
      incoming.kind === 'commit' && incoming.senderLeafIndex !== undefined && incoming.proposals.every(isPlain)
        ? 'accept'
        : 'reject',
  )
  if (actionTaken !== 'accept' || newState.groupContext.epoch === state.groupContext.epoch)
    throw new Error('A commit is not acceptable')
  return newState
}
