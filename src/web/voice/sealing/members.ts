// Apart from leaves.ts: the types of the packed client import nothing of ts-mls.

/** The member that a leaf of the group stands for. */
export interface Member {
  voice_session_id: string
  user_id: number
}

/** The confirmation of a leaf by a device: its public key, and its signature on the member and the leaf's key. */
export interface DeviceProof {
  /** 32 bytes. */
  key: Uint8Array
  /** 64 bytes. */
  signature: Uint8Array
}

/** A leaf of the group, or of a key package. */
export interface Leaf extends Member {
  index: number
  signatureKey: Uint8Array
  /** The confirmation of this leaf by a device of the account. */
  proof: DeviceProof
}
