#include "app/tasks/sandbox/sandbox.h"

#include "app/tasks/base/output_file.h"
#include "app/tasks/sandbox/landlock.h"
#include "app/tasks/sandbox/system_calls.h"

#include <system_error>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::Result;

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
