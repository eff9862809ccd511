// Preloaded where /proc is missing: gives libcpuinfo, and so XNNPACK, the list of processors that it reads
// from /proc/cpuinfo. On x86, everything else comes from the CPUID instruction.

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace {

/// Descriptor of the processors that this process may use, as lines of /proc/cpuinfo; negative on failure.
int listProcessors() {
    const int list = ::memfd_create("cpuinfo", MFD_CLOEXEC);
    cpu_set_t usable;
    if (list < 0 || ::sched_getaffinity(0, sizeof usable, &usable) != 0) {
        return -1;
    }
    for (int i = 0; i < CPU_SETSIZE; ++i) {
        if (CPU_ISSET(i, &usable)) {
            ::dprintf(list, "processor\t: %d\napicid\t\t: %d\n\n", i, i);
        }
    }
    ::lseek(list, 0, SEEK_SET);
    return list;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int open(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const int mode = va_arg(more, int);
    va_end(more);
    const auto opened = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
    return opened < 0 && std::strcmp(path, "/proc/cpuinfo") == 0 ? listProcessors() : opened;
}
