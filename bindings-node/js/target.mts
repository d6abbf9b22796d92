// Which of the platforms this is.

/** The name of this platform, as Rust and npm's optional packages have it. */
export function target(): string {
  const { platform, arch } = process
  if (platform === 'linux') {
    const glibc = isGlibc()
    const abi = arch === 'arm' ? (glibc ? 'gnueabihf' : 'musleabihf') : glibc ? 'gnu' : 'musl'
    return `linux-${arch}-${abi}`
  }
  if (platform === 'win32') return `win32-${arch}-msvc`
  return `${platform}-${arch}`
}

/** Whether the C library is GNU's, where there is a choice. */
function isGlibc(): boolean {
  // Deno is built for no other, and would ask for leave to report.
  if ('Deno' in globalThis) return true
  const report = process.report as (NodeJS.ProcessReport & { excludeNetwork?: boolean }) | undefined
  if (typeof report?.getReport !== 'function') return true
  // Without this the report looks up the name of every open socket.
  const before = report.excludeNetwork
  report.excludeNetwork = true
  try {
    const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } }
    return header?.glibcVersionRuntime !== undefined
  } finally {
    report.excludeNetwork = before as boolean
  }
}
