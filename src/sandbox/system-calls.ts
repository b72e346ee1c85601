/** The system calls that the filter looks at. Newer ones have the same number on every CPU. */
const numbers = {
  // name: [x86-64, arm64]
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  pidfd_getfd: [438, 438],
  mount: [165, 40],
  umount2: [166, 39],
  move_mount: [429, 429],
  open_tree: [428, 428],
  open_tree_attr: [467, 467],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  pivot_root: [155, 41],
  chroot: [161, 51],
  unshare: [272, 97],
  setns: [308, 268],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  personality: [135, 92],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  acct: [163, 89],
  syslog: [103, 116],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  // Memory that belongs to no process: neither the kernel's cap nor the watchdog would count it.
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  msgget: [68, 186],
  semget: [64, 190],
  mmap: [9, 222],
  clone: [56, 220],
  clone3: [435, 435],
  socket: [41, 198],
} as const satisfies Record<string, readonly [x64: number, arm64: number]>;

export type CallName = keyof typeof numbers;

/** Their numbers on each CPU that a filter can be made for. Any other CPU has none, and so no strict containment. */
export const systemCalls: Partial<Record<NodeJS.Architecture, Readonly<Record<CallName, number>>>> = {
  x64: numbersAt(0),
  arm64: numbersAt(1),
};

/**
 * By these a process could leave its sandbox, look into others, change the machine, or hold memory that nobody counts. The
 * rest depends on the arguments.
 */
export const refusedCalls: readonly CallName[] = callNames().filter(
  (name) => name !== "mmap" && name !== "clone" && name !== "clone3" && name !== "socket",
);

function callNames(): CallName[] {
  return Object.keys(numbers) as CallName[];
}

function numbersAt(column: 0 | 1): Record<CallName, number> {
  return Object.fromEntries(callNames().map((name) => [name, numbers[name][column]])) as Record<
    CallName,
    number
  >;
}
