import './styles/index.css'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isSignedOut } from './base/api.ts'
import { preloadWhenIdle } from './components/shell/lazy-page.tsx'
import { noticeServerError } from './base/server-state.ts'
import { SignOutNotice } from './components/shell/sign-out-notice.tsx'
import { makeRouter } from './routes.tsx'
import { applyTheme } from './ui/theme.ts'
import { Toasts } from './ui/toasts.tsx'

function start(): void {
  applyTheme()
  const router = makeRouter()
  const goToSignIn = (error: unknown) => {
    const { pathname, href } = router.state.location
    if (isSignedOut(error) && pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { next: href } })
  }
  const notice = (error: unknown) => {
    goToSignIn(error)
    noticeServerError(error, queries)
  }
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error) => notice(error) }),
    mutationCache: new MutationCache({ onError: (error) => notice(error) }),
    // The SDK tries again itself what fails for a moment.
    defaultOptions: { queries: { retry: false, staleTime: 5_000 } },
  })
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Toasts />
        <SignOutNotice />
      </QueryClientProvider>
    </StrictMode>,
  )
  // The first page, and what it asks for, comes first.
  addEventListener('load', () => setTimeout(preloadWhenIdle, 3_000))
}

start()
