/** The parts of OpenAPI 3.0 and 3.1 that are read. All references lead inside the document: `#/components/…`. */
export interface Description {
  readonly openapi: string
  readonly info?: { readonly title?: string; readonly version?: string }
  readonly servers?: readonly Server[]
  readonly paths?: { readonly [path: string]: PathItem | undefined }
  readonly components?: {
    readonly schemas?: { readonly [name: string]: JsonSchema | undefined }
    readonly securitySchemes?: { readonly [name: string]: (SecurityScheme & Reference) | undefined }
  }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly security?: readonly SecurityRequirement[]
}

export interface Reference {
  readonly $ref?: string
}

export interface Server {
  readonly url: string
  readonly variables?: { readonly [name: string]: { readonly default: string } | undefined }
}

export type SecurityRequirement = { readonly [scheme: string]: readonly string[] }

export interface SecurityScheme {
  readonly type: 'http' | 'apiKey' | 'oauth2' | 'openIdConnect' | 'mutualTLS'
  readonly scheme?: string
  readonly in?: 'header' | 'query' | 'cookie'
  readonly name?: string
}

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
export type Method = (typeof METHODS)[number]

export interface PathItem extends Reference, Partial<Record<Method, RawOperation>> {
  readonly parameters?: readonly (Parameter & Reference)[]
}

export interface RawOperation {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly parameters?: readonly (Parameter & Reference)[]
  readonly requestBody?: RequestBody & Reference
  readonly responses?: { readonly [status: string]: (ApiResponse & Reference) | undefined }
  readonly security?: readonly SecurityRequirement[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly description?: string
  readonly required?: boolean
  readonly deprecated?: boolean
  readonly style?: string
  readonly explode?: boolean
  readonly schema?: JsonSchema
  readonly content?: { readonly [type: string]: MediaType }
  readonly example?: unknown
}

export interface MediaType {
  readonly schema?: JsonSchema
}

export interface RequestBody {
  readonly required?: boolean
  readonly description?: string
  readonly content?: { readonly [type: string]: MediaType }
}

export interface ApiResponse {
  readonly description?: string
  readonly headers?: { readonly [name: string]: unknown }
  readonly content?: { readonly [type: string]: MediaType }
}

export interface JsonSchema extends Reference {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly title?: string
  readonly description?: string
  readonly nullable?: boolean
  readonly deprecated?: boolean
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema | boolean
  readonly prefixItems?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly discriminator?: {
    readonly propertyName: string
    readonly mapping?: { readonly [value: string]: string }
  }
  readonly default?: unknown
  readonly example?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
}
