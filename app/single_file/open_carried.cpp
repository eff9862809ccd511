// Hook of the carried dynamic loader: opens and maps carried files from the single file, and all others as
// before. pack.py adds it to the loader and redirects the loader's openat and mmap calls to it. So libraries
// and plugins load by name, on demand, without files on the host and without /proc.
//
// An opened library is a file in memory with the start of the library, which the loader reads. Its ELF header
// is marked and has the place of the library in the single file, from which the hook then maps.
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

/// Arguments of a system call, as the hook has pushed them.
struct Call {
    long a, b, c, d, e, f;
};

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

/// ELF header; the loader uses only the named members, and the hook marks it in the others.
struct ElfHeader {
    unsigned char before[32];
    std::uint64_t segments;  ///< offset of the program headers
    std::uint64_t place;     ///< of sections; marked: offset of the library in the single file
    unsigned char between[8];
    std::uint16_t segmentCount;
    unsigned char mark[6];  ///< of sections
};

struct ElfSegment {
    std::uint32_t type, flags;
    std::uint64_t offset, address, physical, size, memory, alignment;
};

constexpr unsigned char marker[6] = {0xe7, 'c', 'a', 'r', 'r', 'y'};

bool isMarked(const ElfHeader& header) {
    for (unsigned i = 0; i < sizeof marker; ++i) {
        if (header.mark[i] != marker[i]) {
            return false;
        }
    }
    return true;
}

void writeAt(long to, std::uint64_t at, const unsigned char* from, std::uint64_t size) {
    for (std::uint64_t done = 0; done < size;) {
        const long wrote = call(pwrite, to, reinterpret_cast<long>(from + done),
                                static_cast<long>(size - done), static_cast<long>(at + done));
        if (wrote <= 0) {
            failMemory("a library");
        }
        done += static_cast<std::uint64_t>(wrote);
    }
}

/// Writes what the loader reads of a library before it maps the library: the marked header, the program
/// headers and the notes.
void writeHeaders(long to, const unsigned char* bytes, const CarriedFile& file) {
    ElfHeader header;
    __builtin_memcpy(&header, bytes, sizeof header);
    const std::uint64_t table = header.segments;
    const std::uint64_t tableSize = header.segmentCount * sizeof(ElfSegment);
    if (table > file.size || tableSize > file.size - table) {
        failDamaged(file.name);
    }
    writeAt(to, table, bytes + table, tableSize);
    for (unsigned i = 0; i < header.segmentCount; ++i) {
        constexpr std::uint32_t note = 4;
        ElfSegment segment;
        __builtin_memcpy(&segment, bytes + table + i * sizeof segment, sizeof segment);
        if (segment.type == note && segment.offset <= file.size &&
            segment.size <= file.size - segment.offset) {
            writeAt(to, segment.offset, bytes + segment.offset, segment.size);
        }
    }
    header.place = file.offset;
    __builtin_memcpy(header.mark, marker, sizeof marker);
    // At least as much as the loader reads at once.
    constexpr std::uint64_t pageSize = 4096;
    writeAt(to, 0, bytes, file.size < pageSize ? file.size : pageSize);
    writeAt(to, 0, reinterpret_cast<const unsigned char*>(&header), sizeof header);
}

/// Returns the descriptor of a marked file in memory for a carried library.
long openMarked(const CarriedFile& file, long archive) {
    constexpr long readable = 1, privately = 2, populate = 0x8000;
    const auto size = static_cast<long>(file.size);
    const long mapped =
        call(map, 0, size, readable, privately | populate, archive, static_cast<long>(file.offset));
    const long made = makeFile(file.name);
    constexpr long lowestError = -4095;
    if (made < 0 || (mapped < 0 && mapped >= lowestError)) {
        failMemory(file.name);
    }
    const auto* const bytes = reinterpret_cast<const unsigned char*>(mapped);
    if (file.size < sizeof(ElfHeader) || checksum(bytes, file.size) != file.sum) {
        failDamaged(file.name);
    }
    writeHeaders(made, bytes, file);
    call(unmap, mapped, size);
    return made;
}

/// As mmap(); marked files are mapped from the single file.
long mapCarried(const Call& given, const HookData& data) {
    ElfHeader header;
    const auto file = static_cast<int>(given.e);
    const bool isCarried = file >= 0 &&
                           call(pread, file, reinterpret_cast<long>(&header), sizeof header, 0) ==
                               static_cast<long>(sizeof header) &&
                           isMarked(header);
    return call(map, given.a, given.b, given.c, given.d,
                isCarried ? static_cast<long>(data.archive) : given.e,
                given.f + (isCarried ? static_cast<long>(header.place) : 0));
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
            return openMarked(file, data.archive);
        }
    }
    return notFound;
}

extern "C" __attribute__((visibility("hidden"))) const HookData hookData;

}  // namespace

/// As the system call, with carried files.
extern "C" long hookedCall(const Call* given, long number) {
    if (number == map) {
        return mapCarried(*given, hookData);
    }
    const auto* const path = reinterpret_cast<const char*>(given->b);
    const char* const name = path == nullptr ? nullptr : inFolder(path);
    return name == nullptr ? call(openat, given->a, given->b, given->c, given->d)
                           : openCarried(name, hookData);
}

}  // namespace et::single_file

// The hook saves what a function may change and a system call may not. The data is first, for pack.py.
#if defined(__x86_64__)
asm(".section .head,\"ax\"\n"
    ".globl hookData\n.hidden hookData\n"
    "hookData: .long hook - hookData, 0\n.quad 0, 0, 0\n"
    "hook:\n"
    "push %rcx; push %r11; push %rbp; mov %rsp, %rbp\n"
    "push %r9; push %r8; push %r10; push %rdx; push %rsi; push %rdi\n"
    "mov %rsp, %rdi; mov %rax, %rsi; and $-16, %rsp\n"
    "call hookedCall\n"
    "lea -48(%rbp), %rsp\n"
    "pop %rdi; pop %rsi; pop %rdx; pop %r10; pop %r8; pop %r9; pop %rbp; pop %r11; pop %rcx\n"
    "ret\n"
    ".previous\n");
#else
asm(".section .head,\"ax\"\n"
    ".globl hookData\n.hidden hookData\n"
    "hookData: .long hook - hookData, 0\n.quad 0, 0, 0\n"
    "hook:\n"
    "stp x29, x30, [sp, #-176]!\n"
    "stp x0, x1, [sp, #16]\nstp x2, x3, [sp, #32]\nstp x4, x5, [sp, #48]\nstp x6, x7, [sp, #64]\n"
    "stp x8, x9, [sp, #80]\nstp x10, x11, [sp, #96]\nstp x12, x13, [sp, #112]\nstp x14, x15, [sp, #128]\n"
    "stp x16, x17, [sp, #144]\nstr x18, [sp, #160]\n"
    "add x0, sp, #16\nmov x1, x8\n"
    "bl hookedCall\n"
    "ldr x1, [sp, #24]\nldp x2, x3, [sp, #32]\nldp x4, x5, [sp, #48]\nldp x6, x7, [sp, #64]\n"
    "ldp x8, x9, [sp, #80]\nldp x10, x11, [sp, #96]\nldp x12, x13, [sp, #112]\nldp x14, x15, [sp, #128]\n"
    "ldp x16, x17, [sp, #144]\nldr x18, [sp, #160]\n"
    "ldp x29, x30, [sp], #176\n"
    "ret\n"
    ".previous\n");
#endif
