// Part of a file name, part of a title, and a reason.

/** Why a test does not pass here: docs/guide/from-data-client.md says more. */
export const DIFFERENCES = [
  ['endpoint.ts', 'autoname failures', 'an Endpoint without a name throws when its key is needed'],
  ['endpoint.ts', 'Function.bind', 'a bound endpoint keeps the key of its endpoint'],
  ['gql.ts', 'network is down', 'a GraphQL error of a response that is not ok has its status'],
  ['integration-collections', 'ignore undefined values', 'undefined query values are left out'],
  ['integration-collections', 'custom Collection class', 'a record without a key throws'],
  ['integration-collections', 'paginated resource', 'an absent primitive member of an object schema has its default'],
  ['integration-collections', 'cursor field', 'an absent primitive member of an object schema has its default'],
  ['RestEndpoint.ts', 'paginated resource', 'an absent primitive member of an object schema has its default'],
  ['integration-endpoint', 'should resolve useSuspense()', 'development lists classes without a static key'],
  ['integration-endpoint', 'filter Query', 'All keeps the order in which records were first stored'],
  ['integration-endpoint', 'Query should work as endpoint', 'a list filtered by a member of an array is refetched'],
  ['integration-endpoint', 'schema.Union()', 'an Endpoint without a name throws when its key is needed'],
  ['optimistic', 'clear only earlier', 'allSettled() waits for mutations, too'],
  ['optimistic', 'failed string', 'a thrown value that is no object is shown as an Error'],
  ['integration.node', 'useCache()', 'restitch/test needs a DOM'],
  ['optional-members', 'complex', 'useCache shows the members of an object that are stored'],
  ['subscriptions.tsx', 'useSubscription()', 'the last subscription of a key ends in a microtask'],
  ['useController/', 'same === function', 'a hook outside of a provider throws'],
  ['useController/set', 'with error', 'controller.set with a value that does not fit rejects'],
  ['useSuspense-scalar', 'fetch counts', 'a list whose records lack a Scalar is fetched'],
  ['Resource.test', 'toJSON() should serialize', 'a NetworkError has a message for the user, and its url as a member'],
  ['useSuspense.web', 'lastReset is NaN', 'a state whose lastReset is no time counts as never reset'],
  ['MockPlugin', 'not installed', 'MockPlugin without a plugin of the store throws'],
  ['DataClientPlugin', 'ProvidedDataClient', 'no state is provided: useController().getState()'],
  ['DataClientPlugin', 'mixin', 'no state is provided: useController().getState()'],
  ['createDataClient', 'app.provide', 'no state is provided: useController().getState()'],
  ['createDataClient', 'middleware dispatch chain', 'the text of a message'],
  ['getDefaultManagers', 'networkManager is null', 'the text of a message'],
]

/** Tests that need the insides of data-client, and are left out whether they pass or not. Those that import such a name are found by `names/inside.mjs`. */
export const INSIDES = [
  [
    'hooks/__tests__/subscriptions',
    'dispatch data-client/subscribe only once',
    'counts the actions of a made-up dispatch',
  ],
  ['hooks/__tests__/subscriptions', 'unsubscribe with null', 'counts the actions of a made-up dispatch'],
  ['resource-construction', 'wrap Union schema', 'reads an inner member of Invalidate'],
  ['MockPlugin', 'fixtureMap', 'reads an inner member of the mocked controller'],
  ['MockPlugin', '$dataClient', 'reads an inner member of the mocked controller'],
  ['MockPlugin', 'across multiple components', 'reads an inner member of the mocked controller'],
  ['DataClientPlugin', 'lifecycle', 'replaces createDataClient inside of the module'],
  ['DataClientPlugin', 'should NOT call', 'replaces createDataClient inside of the module'],
]

/** Tests that expect something else than the specification of this package says. They are left out, too. */
export const SPECIFIED = [
  ['RestEndpoint.ts', 'schema should be null', 'an endpoint has extenders where its schema contains a Collection'],
  ['RestEndpoint.ts', 'getPage should throw', 'getPage exists where a paginationField is set'],
  ['resource-construction', 'override endpoint options', 'getPage exists where a paginationField is set'],
  ['integration-endpoint', 'schema.Values()', "the path of a list is '/' for the path '/:id'"],
  ['useFetch-use', 'schema.Values()', "the path of a list is '/' for the path '/:id'"],
]
