#include "app/tasks/sandbox/landlock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace et::tasks {
namespace {

using core::Result;

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

}  // namespace

int landlockVersion() {
    const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version < 0 ? 0 : static_cast<int>(version);
}

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
    for (const char* const device : {"/dev/null", "/dev/full", "/dev/tty"}) {
        ET_TRY(allow(ruleset.value(), device, oneFile));
    }
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        ::syscall(SYS_landlock_restrict_self, ruleset.value(), 0) != 0) {
        return systemFailure("Landlock");
    }
    return {};
}

}  // namespace et::tasks
