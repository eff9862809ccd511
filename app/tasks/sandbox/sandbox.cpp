#include "app/tasks/sandbox/sandbox.h"

#include "app/tasks/base/output_file.h"
#include "runtime/core/result.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <system_error>
#include <type_traits>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::Result;

// Linux Landlock (landlock(7)): rights that a process gives up are never restored.
constexpr std::uint64_t fileWriting = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                                      LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                      LANDLOCK_ACCESS_FS_MAKE_REG;
/// Rights that are never needed, not even for outputs.
constexpr std::uint64_t neverGiven = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                     LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

// Landlock versions that introduced each feature.
constexpr int sinceRenaming = 2;
constexpr int sinceTruncating = 3;
constexpr int sinceTcp = 4;
constexpr int sinceDevices = 5;
constexpr int sinceSignals = 6;

class Descriptor {
  public:
    explicit Descriptor(int opened) : number(opened) {}
    ~Descriptor() {
        if (number >= 0) {
            ::close(number);
        }
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int value() const { return number; }
    [[nodiscard]] bool ok() const { return number >= 0; }

  private:
    int number;
};

std::unexpected<core::Error> systemFailure(std::string_view what) {
    const std::string reason = std::generic_category().message(errno);
    return core::fail(core::ErrorCode::Io, fmt::format("sandbox: {}: {}", what, reason));
}

std::uint64_t writingRights(int version) {
    return fileWriting | (version >= sinceRenaming ? LANDLOCK_ACCESS_FS_REFER : 0) |
           (version >= sinceTruncating ? LANDLOCK_ACCESS_FS_TRUNCATE : 0);
}

landlock_ruleset_attr makeRuleset(int version) {
    landlock_ruleset_attr rules{};
    rules.handled_access_fs =
        neverGiven | writingRights(version) | (version >= sinceDevices ? LANDLOCK_ACCESS_FS_IOCTL_DEV : 0);
    rules.handled_access_net =
        version >= sinceTcp ? LANDLOCK_ACCESS_NET_BIND_TCP | LANDLOCK_ACCESS_NET_CONNECT_TCP : 0;
    rules.scoped = version >= sinceSignals ? LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE_SIGNAL : 0;
    return rules;
}

/// Kernels reject a structure larger than the one they support.
std::size_t rulesetSize(int version) {
    return version >= sinceSignals ? sizeof(landlock_ruleset_attr)
           : version >= sinceTcp   ? offsetof(landlock_ruleset_attr, scoped)
                                   : offsetof(landlock_ruleset_attr, handled_access_net);
}

/// Allows `rights` below a path; skips a path that does not exist.
Result<> allow(int ruleset, const std::filesystem::path& path, std::uint64_t rights) {
    const Descriptor opened(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!opened.ok()) {
        return {};
    }
    const landlock_path_beneath_attr rule{.allowed_access = rights, .parent_fd = opened.value()};
    if (::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) {
        return systemFailure(path.string());
    }
    return {};
}

/// Landlock version of this kernel; 0: none, or disabled.
int landlockVersion() {
    const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version < 0 ? 0 : static_cast<int>(version);
}

/// Removes rights from this process, its later threads and children: writing, creating and removing files
/// except below `writable` (folders; missing ones are skipped), running programs, and, as far as `version`
/// supports it, TCP and signals to other processes. Call while there is one thread. Errors: Io.
Result<> enterLandlock(int version, std::span<const std::filesystem::path> writable) {
    const landlock_ruleset_attr rules = makeRuleset(version);
    const Descriptor ruleset(
        static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, rulesetSize(version), 0)));
    if (!ruleset.ok()) {
        return systemFailure("Landlock");
    }
    for (const std::filesystem::path& folder : writable) {
        ET_TRY(allow(ruleset.value(), folder, writingRights(version)));
    }
    const std::uint64_t oneFile =
        LANDLOCK_ACCESS_FS_WRITE_FILE | (version >= sinceTruncating ? LANDLOCK_ACCESS_FS_TRUNCATE : 0);
    // Writing to clear_refs resets the peak memory of this process.
    for (const char* const file : {"/dev/null", "/dev/full", "/dev/tty", "/proc/self/clear_refs"}) {
        ET_TRY(allow(ruleset.value(), file, oneFile));
    }
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        ::syscall(SYS_landlock_restrict_self, ruleset.value(), 0) != 0) {
        return systemFailure("Landlock");
    }
    return {};
}

/// System calls rejected regardless of arguments.
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

/// Whether this kernel supports filtering system calls (seccomp(2)).
bool filtersSystemCalls() {
    const std::uint32_t action = SECCOMP_RET_ERRNO;
    return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

/// Rejects with EPERM, for this process, all its threads and its later children, system calls that a model
/// does not need: sockets, running programs, signals to other processes, inspecting them, mounts and
/// namespaces, and large kernel interfaces (bpf, io_uring, keys, performance events, modules). Errors: Io.
Result<> enterSystemCallFilter() {
    const Filter filter(seccomp_init(SCMP_ACT_ALLOW));
    if (filter == nullptr) {
        return filterFailure(-ENOMEM);
    }
    if (const int result = seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_TSYNC, 1); result != 0) {
        return filterFailure(result);
    }
    // Keeps speculation as without the filter, which would slow measured models down; old kernels cannot.
    static_cast<void>(seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_SSB, 1));
    if (const int result = addRules(filter.get()); result != 0) {
        return filterFailure(result);
    }
    const int loaded = seccomp_load(filter.get());
    return loaded == 0 ? Result<>() : Result<>(filterFailure(loaded));
}

/// Adds the folder of a file as named, and of its target if it is a link.
void addParentFolder(std::vector<fs::path>& folders, const fs::path& file) {
    if (file.empty() || file == "-") {
        return;
    }
    constexpr int mostLinks = 40;
    fs::path at = file;
    for (int links = 0; links <= mostLinks; ++links) {
        const fs::path folder = at.has_parent_path() ? at.parent_path() : fs::path(".");
        folders.push_back(folder);
        std::error_code noLink;
        const fs::path target = fs::read_symlink(at, noLink);
        if (noLink) {
            return;
        }
        at = folder / target;  // an absolute target replaces the folder
    }
}

Result<std::vector<fs::path>> writableFolders(const SandboxOutputs& outputs) {
    std::vector<fs::path> folders;
    for (const fs::path& file : outputs.files) {
        addParentFolder(folders, file);
    }
    for (const fs::path& folder : outputs.folders) {
        if (!folder.empty()) {
            ET_TRY(makeFolder(folder));
            folders.push_back(folder);
        }
    }
    return folders;
}

}  // namespace

SandboxMeans SandboxMeans::ofThisKernel() {
    return {.landlock = landlockVersion(), .systemCalls = filtersSystemCalls()};
}

Result<std::string> sandboxLack(SandboxMode mode, const SandboxMeans& means) {
    if (mode == SandboxMode::Off || means.complete()) {
        return std::string();
    }
    std::string lack =
        means.systemCalls    ? "the sandbox does not restrict file access: this kernel has no Landlock"
        : means.landlock > 0 ? "the sandbox does not restrict system calls: this kernel has no seccomp"
                             : "no sandbox: this kernel has neither Landlock nor seccomp";
    if (mode == SandboxMode::On) {
        return core::fail(core::ErrorCode::Unsupported, std::move(lack));
    }
    return lack;
}

Result<std::string> confine(SandboxMode mode, const SandboxOutputs& outputs, const SandboxMeans& means) {
    ET_ASSIGN(std::string lack, sandboxLack(mode, means));
    if (mode == SandboxMode::Off) {
        return lack;
    }
    ET_ASSIGN(const std::vector<fs::path> folders, writableFolders(outputs));
    if (means.landlock > 0) {
        ET_TRY(enterLandlock(means.landlock, folders));
    }
    if (means.systemCalls) {
        ET_TRY(enterSystemCallFilter());
    }
    return lack;
}

}  // namespace et::tasks
