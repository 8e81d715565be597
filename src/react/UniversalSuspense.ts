'use client'
// In a file of its own: a bundler keeps every file that re-exports from a package it does not bundle.
export { Suspense as UniversalSuspense } from 'react'
