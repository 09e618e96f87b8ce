/** A message to the server. Data and welcome are MLS messages in base64. */
export interface GroupMessage {
  group: string
  epoch: number
  kind: 'key_package' | 'commit'
  data: string
  welcome?: string
  /** Voice sessions that the welcome is for. */
  added?: string[]
}

export interface GroupAnswer {
  /** False if another commit was the first of its epoch. */
  accepted: boolean
  /** True if this member is the first of the group. */
  founder: boolean
}

/** A message of another member. */
export interface GroupEvent {
  group: string
  epoch: number
  kind: 'key_package' | 'commit' | 'welcome'
  from: string
  data: string
}
