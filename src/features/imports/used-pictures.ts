/** A file that the export refers to, and the folder to which its address is relative. */
export interface Address {
  folder: string
  url: string
}

export type Optional = string | null | undefined

/** A custom emoji or sticker. */
export interface UsedPicture {
  name: string
  picture: Address
  uses: number
}
