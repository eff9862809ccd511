#include "app/tasks/sandbox/system_calls.h"

#include <fmt/format.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <system_error>
#include <type_traits>

namespace et::tasks {
namespace {

using core::Result;

/// Rejected regardless of arguments.
constexpr std::array refused{
    // Other machines and processes
    SCMP_SYS(socket), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen), SCMP_SYS(accept),
    SCMP_SYS(accept4),
#ifndef __SANITIZE_ADDRESS__  // LeakSanitizer inspects threads of its own process with these
    SCMP_SYS(ptrace),
#endif
    SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pidfd_send_signal), SCMP_SYS(kcmp),
    // Other programs
    SCMP_SYS(execve), SCMP_SYS(execveat),
    // Changed views of the file system
    SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(setns),
    SCMP_SYS(unshare), SCMP_SYS(open_by_handle_at), SCMP_SYS(fsopen), SCMP_SYS(fsmount), SCMP_SYS(open_tree),
    SCMP_SYS(move_mount), SCMP_SYS(mknod), SCMP_SYS(mknodat),
    // Large kernel interfaces
    SCMP_SYS(bpf), SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register),
    SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(keyctl), SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd), SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff),
    SCMP_SYS(acct), SCMP_SYS(quotactl), SCMP_SYS(settimeofday), SCMP_SYS(clock_settime),
    SCMP_SYS(sethostname), SCMP_SYS(setdomainname)};

/// Calls whose first argument is a process: only this process is allowed.
constexpr std::array aboutProcesses{SCMP_SYS(kill), SCMP_SYS(tgkill), SCMP_SYS(rt_sigqueueinfo),
                                    SCMP_SYS(rt_tgsigqueueinfo)};

struct Releaser {
    void operator()(void* filter) const { seccomp_release(filter); }
};
using Filter = std::unique_ptr<std::remove_pointer_t<scmp_filter_ctx>, Releaser>;

/// libseccomp returns negative error numbers.
std::unexpected<core::Error> filterFailure(int result) {
    const std::string reason = std::generic_category().message(-result);
    return core::fail(core::ErrorCode::Io, fmt::format("sandbox: seccomp: {}", reason));
}

/// Returns 0 or the error. Ignores calls that this architecture does not have.
int addRules(scmp_filter_ctx filter) {
    const auto failed = [](int result) { return result != 0 && result != -EDOM && result != -EINVAL; };
    for (const int call : refused) {
        if (const int result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0); failed(result)) {
            return result;
        }
    }
    const auto self = static_cast<scmp_datum_t>(::getpid());
    for (const int call : aboutProcesses) {
        const scmp_arg_cmp another = SCMP_A0_64(SCMP_CMP_NE, self);
        if (const int result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 1, another);
            failed(result)) {
            return result;
        }
    }
    // A filter cannot see the flags of clone3; without clone3 the C library uses clone.
    const scmp_arg_cmp newUser = SCMP_A0_64(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER);
    if (const int result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, newUser);
        failed(result)) {
        return result;
    }
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

}  // namespace

bool filtersSystemCalls() {
    const std::uint32_t action = SECCOMP_RET_ERRNO;
    return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

Result<> enterSystemCallFilter() {
    const Filter filter(seccomp_init(SCMP_ACT_ALLOW));
    if (filter == nullptr) {
        return filterFailure(-ENOMEM);
    }
    if (const int result = seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_TSYNC, 1); result != 0) {
        return filterFailure(result);
    }
    if (const int result = addRules(filter.get()); result != 0) {
        return filterFailure(result);
    }
    const int loaded = seccomp_load(filter.get());
    return loaded == 0 ? Result<>() : Result<>(filterFailure(loaded));
}

}  // namespace et::tasks
