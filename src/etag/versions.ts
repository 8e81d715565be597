import { isObject } from '../base/equal.ts'
import { recall } from '../base/recall.ts'

/** The version of a resource on the server, as its URL told it. */
export interface Version {
  readonly etag: string
  /** It came with the whole resource, and not with the response to a change. */
  readonly isRead: boolean
}

// By the data that readers see: what has changed since is another object, so its version is not found. The data of another store
// is another object, too.
const versions = /* @__PURE__ */ new WeakMap<object, Map<string, Version>>()

export function versionOf(data: unknown, url: string): Version | undefined {
  return isObject(data) ? versions.get(data)?.get(url) : undefined
}

/** Remembers the version of data; without a usable ETag it forgets the one that was known. */
export function noteVersion(data: unknown, url: string, etag: string | null | undefined, isRead: boolean): void {
  if (!isObject(data)) {
    return
  }
  if (etag && VALID.test(etag)) {
    recall(versions, data as object, () => new Map<string, Version>()).set(url, { etag, isRead })
  } else {
    versions.get(data)?.delete(url)
  }
}

/** The ETag by which a change may be made conditional: a weak one never matches. */
export function strongEtag(version: Version | undefined): string | undefined {
  return version && isStrong(version.etag) ? version.etag : undefined
}

export function isStrong(etag: string | null | undefined): etag is string {
  return etag != null && VALID.test(etag) && !etag.startsWith('W/')
}

/** True for ETags of the same content, weak or strong. */
export function isSameContent(one: string, other: string): boolean {
  return one.replace(/^W\//, '') === other.replace(/^W\//, '')
}

/** Characters that a header may have, and not so many that a server refuses the request. */
const VALID = /^(W\/)?"[\x21\x23-\x7e\x80-\xff]{0,256}"$/
