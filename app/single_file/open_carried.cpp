// Hook of the carried dynamic loader: opens carried files from the single file, and all others as before.
// pack.py adds it to the loader and redirects the loader's openat calls to it. So libraries and plugins load
// by name, on demand, without files on the host and without /proc.
//
// Compiled without any library; runs before relocations and threads, and must only use the registers that a
// system call may change.

#include "app/single_file/hook_data.h"
#include "runtime/core/single_file.h"

namespace et::single_file {
namespace {

using core::CarriedFile;
using core::checksum;

#if defined(__x86_64__)
constexpr long openat = 257, memfd = 319, pread = 17, pwrite = 18, close = 3, map = 9, unmap = 11,
               control = 72, write = 1, exitGroup = 231;

long call(long number, long a, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
    register long r10 asm("r10") = d;
    register long r8 asm("r8") = e;
    register long r9 asm("r9") = f;
    asm volatile("syscall"
                 : "+a"(number)
                 : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                 : "rcx", "r11", "memory");
    return number;
}
#elif defined(__aarch64__)
constexpr long openat = 56, memfd = 279, pread = 67, pwrite = 68, close = 57, map = 222, unmap = 215,
               control = 25, write = 64, exitGroup = 94;

long call(long number, long a, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
    register long x8 asm("x8") = number;
    register long x0 asm("x0") = a;
    register long x1 asm("x1") = b;
    register long x2 asm("x2") = c;
    register long x3 asm("x3") = d;
    register long x4 asm("x4") = e;
    register long x5 asm("x5") = f;
    asm volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
}
#else
#error "system calls of this processor are unknown"
#endif

constexpr long notFound = -2;                       // -ENOENT
constexpr long closeOnExec = 1, executable = 0x10;  // of memfd_create()

void say(const char* text) {
    long length = 0;
    while (text[length] != '\0') {
        ++length;
    }
    constexpr long standardError = 2;
    call(write, standardError, reinterpret_cast<long>(text), length);
}

/// Ends the process, because the loader would search the host's libraries next.
[[noreturn]] void fail(const char* before, const char* name, const char* behind) {
    say("et-inspect: ");
    say(before);
    say(name);
    say(behind);
    constexpr long exitUnreadable = 3;  // as et::tasks::ExitCode::Unreadable
    for (;;) {
        call(exitGroup, exitUnreadable);
    }
}

/// Position after the folder of carried files; null for other paths.
const char* inFolder(const char* path) {
    for (const char* prefix = folder; *prefix != '\0'; ++prefix, ++path) {
        if (*path != *prefix) {
            return nullptr;
        }
    }
    return path;
}

bool same(const char* a, const char* b) {
    for (; *a != '\0' && *a == *b; ++a, ++b) {
    }
    return *a == *b;
}

[[noreturn]] void failDamaged(const char* name) {
    fail("this file is damaged: the checksum of ", name,
         ", which it carries, is not the expected one; download it again\n");
}

[[noreturn]] void failMemory(const char* name) {
    fail("there is no memory for ", name, ", which this file carries\n");
}

/// A new file in memory. Kernels since 6.3 can forbid execution unless the flag is given; older ones refuse
/// the flag.
long makeFile(const char* name) {
    const long made = call(memfd, reinterpret_cast<long>(name), closeOnExec | executable);
    return made >= 0 ? made : call(memfd, reinterpret_cast<long>(name), closeOnExec);
}

/// Copies a part of the single file to a file in memory. Returns its descriptor.
long copy(const CarriedFile& file, long archive) {
    constexpr long readable = 1, privately = 2, populate = 0x8000;
    const long mapped = call(map, 0, static_cast<long>(file.size), readable, privately | populate, archive,
                             static_cast<long>(file.offset));
    const long made = makeFile(file.name);
    constexpr long lowestError = -4095;
    if (made < 0 || (mapped < 0 && mapped >= lowestError)) {
        failMemory(file.name);
    }
    if (checksum(reinterpret_cast<const unsigned char*>(mapped), file.size) != file.sum) {
        failDamaged(file.name);
    }
    const auto size = static_cast<long>(file.size);
    for (long done = 0; done < size;) {
        const long wrote = call(pwrite, made, mapped + done, size - done, done);
        if (wrote <= 0) {
            failMemory(file.name);
        }
        done += wrote;
    }
    call(unmap, mapped, size);
    return made;
}

long openCarried(const char* name, const HookData& data) {
    // Child processes must not inherit them. Not set by the starter, because an emulator of another processor
    // reopens the loader.
    constexpr long setFlags = 2, closeOnExecFlag = 1;
    call(control, data.archive, setFlags, closeOnExecFlag);
    call(control, static_cast<long>(data.loader), setFlags, closeOnExecFlag);
    for (std::uint64_t i = 0; i < data.count; ++i) {
        CarriedFile file;
        const auto at = static_cast<long>(data.table + i * sizeof file);
        if (call(pread, data.archive, reinterpret_cast<long>(&file), sizeof file, at) != sizeof file) {
            failDamaged(name);
        }
        if (same(file.name, name)) {
            return copy(file, data.archive);
        }
    }
    return notFound;
}

extern "C" __attribute__((visibility("hidden"))) const HookData hookData;

}  // namespace

/// As the system call openat(), with carried files.
extern "C" long hookedOpen(long directory, const char* path, long flags, long mode) {
    const char* const name = path == nullptr ? nullptr : inFolder(path);
    return name == nullptr ? call(openat, directory, reinterpret_cast<long>(path), flags, mode)
                           : openCarried(name, hookData);
}

}  // namespace et::single_file

// The hook saves what a function may change and a system call may not. The data is first, for pack.py.
#if defined(__x86_64__)
asm(".section .head,\"ax\"\n"
    ".globl hookData\n.hidden hookData\n"
    "hookData: .long hook - hookData, 0\n.quad 0, 0, 0\n"
    "hook:\n"
    "push %rdi; push %rsi; push %rdx; push %rcx; push %r8; push %r9; push %r10; push %r11; push %rbp\n"
    "mov %rsp, %rbp; and $-16, %rsp\n"
    "mov %r10, %rcx\n"
    "call hookedOpen\n"
    "mov %rbp, %rsp\n"
    "pop %rbp; pop %r11; pop %r10; pop %r9; pop %r8; pop %rcx; pop %rdx; pop %rsi; pop %rdi\n"
    "ret\n"
    ".previous\n");
#else
asm(".section .head,\"ax\"\n"
    ".globl hookData\n.hidden hookData\n"
    "hookData: .long hook - hookData, 0\n.quad 0, 0, 0\n"
    "hook:\n"
    "stp x29, x30, [sp, #-160]!\n"
    "stp x1, x2, [sp, #16]\nstp x3, x4, [sp, #32]\nstp x5, x6, [sp, #48]\nstp x7, x8, [sp, #64]\n"
    "stp x9, x10, [sp, #80]\nstp x11, x12, [sp, #96]\nstp x13, x14, [sp, #112]\nstp x15, x16, [sp, #128]\n"
    "stp x17, x18, [sp, #144]\n"
    "bl hookedOpen\n"
    "ldp x1, x2, [sp, #16]\nldp x3, x4, [sp, #32]\nldp x5, x6, [sp, #48]\nldp x7, x8, [sp, #64]\n"
    "ldp x9, x10, [sp, #80]\nldp x11, x12, [sp, #96]\nldp x13, x14, [sp, #112]\nldp x15, x16, [sp, #128]\n"
    "ldp x17, x18, [sp, #144]\n"
    "ldp x29, x30, [sp], #160\n"
    "ret\n"
    ".previous\n");
#endif
