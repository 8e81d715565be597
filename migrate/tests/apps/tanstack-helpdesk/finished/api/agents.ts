import { useDLE, useMutation } from 'restitch/react'
import { Agents, Teams } from '../resources'

export const useAgents = () => useDLE(Agents.getList)

/** Names for a menu. */
export const useAgentNames = () => useDLE(Agents.getList)

export const useTeams = () => useDLE(Teams.getList)

export const useInviteAgent = ({ onSuccess }: { onSuccess: () => void }) => useMutation(Agents.create, { onSuccess })

export const useRemoveAgent = () => useMutation(Agents.delete)

export const useSetRole = () => useMutation(Agents.update)
