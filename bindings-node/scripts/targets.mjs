// The platforms that binaries are laid out for: how Rust and Node call each.

export const targets = [
  { name: 'darwin-arm64', rust: 'aarch64-apple-darwin', os: ['darwin'], cpu: ['arm64'] },
  { name: 'darwin-x64', rust: 'x86_64-apple-darwin', os: ['darwin'], cpu: ['x64'] },
  { name: 'freebsd-x64', rust: 'x86_64-unknown-freebsd', os: ['freebsd'], cpu: ['x64'] },
  { name: 'linux-arm-gnueabihf', rust: 'armv7-unknown-linux-gnueabihf', os: ['linux'], cpu: ['arm'] },
  { name: 'linux-arm64-gnu', rust: 'aarch64-unknown-linux-gnu', os: ['linux'], cpu: ['arm64'], libc: ['glibc'] },
  { name: 'linux-arm64-musl', rust: 'aarch64-unknown-linux-musl', os: ['linux'], cpu: ['arm64'], libc: ['musl'] },
  { name: 'linux-riscv64-gnu', rust: 'riscv64gc-unknown-linux-gnu', os: ['linux'], cpu: ['riscv64'], libc: ['glibc'] },
  { name: 'linux-x64-gnu', rust: 'x86_64-unknown-linux-gnu', os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
  { name: 'linux-x64-musl', rust: 'x86_64-unknown-linux-musl', os: ['linux'], cpu: ['x64'], libc: ['musl'] },
  { name: 'win32-arm64-msvc', rust: 'aarch64-pc-windows-msvc', os: ['win32'], cpu: ['arm64'] },
  { name: 'win32-ia32-msvc', rust: 'i686-pc-windows-msvc', os: ['win32'], cpu: ['ia32'] },
  { name: 'win32-x64-msvc', rust: 'x86_64-pc-windows-msvc', os: ['win32'], cpu: ['x64'] },
]

/** The npm package that carries a platform's binary. */
export const packageOf = (name) => `@wireline/native-${name}`
