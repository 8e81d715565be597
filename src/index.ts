export { isRestitchError, type RestitchError } from './base/errors.ts'
export type { StandardSchemaV1 } from './base/standardSchema.ts'
export { ExpiryStatus } from './controller/driver.ts'
export { denormalize, MemoCache, normalize } from './denormalize/lowLevel.ts'
export { Endpoint, Endpoint as ExtendableEndpoint } from './endpoint/Endpoint.ts'
export type {
  EndpointExtendOptions,
  EndpointExtraOptions,
  EndpointInstance,
  EndpointInterface,
  EndpointOptions,
  EndpointParam,
  EndpointToFunction,
  FetchFunction,
  MutateEndpoint,
  ReadEndpoint,
  ResolveType,
  UnknownError,
} from './endpoint/EndpointOptions.ts'
export type { SnapshotInterface } from './endpoint/Snapshot.ts'
export { START, type StartOptions } from './endpoint/start.ts'
export { isOptimistic } from './normalize/origin.ts'
export { getUrlBase, getUrlTokens } from './path/compile.ts'
export { PathError } from './path/parse.ts'
export type { PathArgs, PathKeys, ShortenPath } from './path/PathArgs.ts'
export { NetworkError } from './rest/NetworkError.ts'
export type {
  ContentType,
  ErrorTypes,
  PartialRestGenerics,
  RestArgs,
  RestEndpointConstructorOptions,
  RestGenerics,
  RestInstance,
} from './rest/RestArgs.ts'
export { RestEndpoint } from './rest/RestEndpoint.ts'
export { bracketSearch } from './rest/search.ts'
export { All } from './schema/All.ts'
export { Collection, type CollectionOptions, unshift } from './schema/Collection.ts'
export type {
  DefaultArgs,
  Denormalize,
  DenormalizeNullable,
  EntityFields,
  Normalize,
  NormalizeNullable,
  ObjectArgs,
  Queryable,
  Schema,
  SchemaArgs,
  SchemaSimple,
} from './schema/Denormalize.ts'
export { Entity, validateRequired } from './schema/Entity.ts'
export { EntityMixin } from './schema/EntityMixin.ts'
export { entity } from './schema/entityOf.ts'
export { Invalidate } from './schema/Invalidate.ts'
export { Lazy } from './schema/Lazy.ts'
export * as schema from './schema/namespace.ts'
export { Query } from './schema/Query.ts'
export { Scalar } from './schema/Scalar.ts'
export {
  type IDenormalizeDelegate,
  type INormalizeDelegate,
  INVALID,
  type IQueryDelegate,
  type SchemaClass,
} from './schema/Schema.ts'
export { Union } from './schema/Union.ts'
export { Values } from './schema/Values.ts'
export { deserializeState, serializeState } from './store/dehydrate.ts'
export { initialState, type State } from './store/picture.ts'
