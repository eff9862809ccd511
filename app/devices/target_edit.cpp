#include "app/devices/target_edit.h"

#include "app/devices/target_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace et::devices {
namespace {

std::filesystem::path absolutePath(const std::filesystem::path& path) {
    return path.empty() ? path : std::filesystem::absolute(path);
}

}  // namespace

core::Result<Target> namedTarget(std::string_view name, std::string_view address, const Target& settings) {
    if (!isTargetName(name)) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          fmt::format("expected a name of letters, digits, '.', '_' and '-', got '{}'",
                                      core::printable(name)));
    }
    ET_ASSIGN(Target target, targetOf(address));
    target.name = name;
    target.folder = settings.folder;
    target.sshConfig = absolutePath(settings.sshConfig);
    target.agent = absolutePath(settings.agent);
    target.commands = settings.commands;
    if (target.reach == Reach::Command && target.commands.run.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "address \"command:\" requires a command to run (--run)");
    }
    return target;
}

core::Result<> addTarget(const std::filesystem::path& path, const Target& target, bool replace) {
    return changeTargets(path, [&](std::vector<Target>& targets) -> core::Result<> {
        const auto found = std::ranges::find(targets, target.name, &Target::name);
        if (found == targets.end()) {
            targets.push_back(target);
        } else if (replace) {
            *found = target;
        } else {
            return core::fail(core::ErrorCode::InvalidArgument,
                              fmt::format("target \"{}\" already exists; --force replaces it", target.name));
        }
        return {};
    });
}

core::Result<> removeTarget(const std::filesystem::path& path, std::string_view name) {
    return changeTargets(path, [&](std::vector<Target>& targets) -> core::Result<> {
        if (std::erase_if(targets, [&](const Target& each) { return each.name == name; }) == 0) {
            return core::fail(core::ErrorCode::NotFound,
                              fmt::format("no target \"{}\"", core::printable(name)));
        }
        return {};
    });
}

}  // namespace et::devices
