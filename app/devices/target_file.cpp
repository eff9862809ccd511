#include "app/devices/target_file.h"

#include "runtime/core/file_lock.h"
#include "runtime/core/file_replacement.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/user_folder.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 1
#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <sstream>
#include <string>
#include <toml++/toml.hpp>
#include <utility>

namespace et::devices {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::chrono::seconds lockPatience{10};

/// A key of a target's table, with its accessors.
struct TargetKey {
    std::string_view name;
    std::string (*get)(const Target&);
    void (*set)(Target&, std::string);
};

constexpr std::array targetKeys{
    TargetKey{"folder", [](const Target& of) { return of.folder; },
              [](Target& of, std::string text) { of.folder = std::move(text); }},
    TargetKey{"ssh_config", [](const Target& of) { return of.sshConfig.string(); },
              [](Target& of, std::string text) { of.sshConfig = std::move(text); }},
    TargetKey{"agent", [](const Target& of) { return of.agent.string(); },
              [](Target& of, std::string text) { of.agent = std::move(text); }},
    TargetKey{"push", [](const Target& of) { return of.commands.push; },
              [](Target& of, std::string text) { of.commands.push = std::move(text); }},
    TargetKey{"run", [](const Target& of) { return of.commands.run; },
              [](Target& of, std::string text) { of.commands.run = std::move(text); }},
    TargetKey{"pull", [](const Target& of) { return of.commands.pull; },
              [](Target& of, std::string text) { of.commands.pull = std::move(text); }},
};

core::Where placeOf(std::string_view file, std::string_view target, std::string_view key) {
    return {.file = std::string(file),
            .field = key.empty() ? core::printable(target)
                                 : fmt::format("{}.{}", core::printable(target), core::printable(key)),
            .offset = {}};
}

Result<> readKey(std::string_view key, const toml::node& node, Target& target, std::string_view file) {
    const auto* const known = std::ranges::find(targetKeys, key, &TargetKey::name);
    const toml::value<std::string>* const text = node.as_string();
    if (known == targetKeys.end()) {
        return fail(ErrorCode::InvalidArgument, "unknown key for a target", placeOf(file, target.name, key));
    }
    if (text == nullptr) {
        return fail(ErrorCode::Format, "expected a string", placeOf(file, target.name, key));
    }
    known->set(target, text->get());
    return {};
}

Result<Target> readTarget(std::string_view name, const toml::table& table, std::string_view file) {
    const toml::value<std::string>* const address = table["address"].as_string();
    if (address == nullptr) {
        return fail(ErrorCode::Format, "expected a string", placeOf(file, name, "address"));
    }
    auto target = targetOf(address->get());
    if (!target) {
        target.error().where = placeOf(file, name, "address");
        return target;
    }
    target->name = name;
    for (const auto& [key, node] : table) {
        if (key.str() != "address") {
            ET_TRY(readKey(key.str(), node, *target, file));
        }
    }
    if (target->reach == Reach::Command && target->commands.run.empty()) {
        return fail(ErrorCode::Format, "expected a command", placeOf(file, name, "run"));
    }
    return target;
}

std::string textOf(const std::vector<Target>& targets) {
    toml::table all;
    for (const Target& each : targets) {
        toml::table table{{"address", each.address}};
        for (const TargetKey& key : targetKeys) {
            if (std::string text = key.get(each); !text.empty()) {
                table.insert(key.name, std::move(text));
            }
        }
        all.insert(each.name, std::move(table));
    }
    std::ostringstream out;
    out << all << "\n";
    return out.str();
}

}  // namespace

bool isTargetName(std::string_view text) {
    constexpr std::size_t longest = 64;
    return !text.empty() && text.size() <= longest && text.front() != '-' &&
           std::ranges::all_of(text, [](char each) {
               return (each >= '0' && each <= '9') || (each >= 'a' && each <= 'z') ||
                      (each >= 'A' && each <= 'Z') || std::string_view("._-").contains(each);
           });
}

Result<fs::path> targetFile() {
    const auto folder = core::userFolder("XDG_CONFIG_HOME", ".config");
    if (!folder) {
        return fail(ErrorCode::NotFound, "no folder for targets: neither XDG_CONFIG_HOME nor HOME is set");
    }
    return *folder / "et-inspect" / "targets.toml";
}

Result<std::vector<Target>> parseTargets(std::string_view text, std::string_view name) {
    const toml::parse_result parsed = toml::parse(text, name);
    if (!parsed) {
        const toml::parse_error& error = parsed.error();
        return fail(ErrorCode::Format, std::string(error.description()),
                    {.file = std::string(name),
                     .field = fmt::format("line {}, column {}", error.source().begin.line,
                                          error.source().begin.column),
                     .offset = {}});
    }
    std::vector<Target> targets;
    for (const auto& [key, node] : parsed.table()) {
        const toml::table* const table = node.as_table();
        if (table == nullptr || !isTargetName(key.str())) {
            return fail(ErrorCode::Format, "expected a table for the target", placeOf(name, key.str(), {}));
        }
        ET_ASSIGN(Target target, readTarget(key.str(), *table, name));
        targets.push_back(std::move(target));
    }
    return targets;
}

Result<std::vector<Target>> readTargets(const fs::path& path) {
    std::error_code unknown;
    if (!fs::exists(path, unknown)) {
        return std::vector<Target>();
    }
    ET_ASSIGN(const auto file, core::MappedFile::open(path));
    const core::Bytes bytes = file->bytes();
    return parseTargets({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string());
}

Result<> changeTargets(const fs::path& path, const std::function<Result<>(std::vector<Target>&)>& change) {
    std::error_code failed;
    fs::create_directories(path.parent_path(), failed);
    const core::Descriptor made(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    if (failed || !made) {
        return std::unexpected(
            core::systemError("cannot write", failed ? failed.value() : errno, path.string()));
    }
    ET_ASSIGN(const core::FileLock lock, core::FileLock::exclusive(path, lockPatience));
    ET_ASSIGN(std::vector<Target> targets, readTargets(path));
    ET_TRY(change(targets));
    ET_ASSIGN(auto file, core::FileReplacement::open(path));
    const std::string text = textOf(targets);
    ET_TRY(file.write(std::as_bytes(std::span(text))));
    return file.finish();
}

Result<Target> findTarget(std::string_view text) {
    if (!isTargetName(text)) {
        return targetOf(text);
    }
    ET_ASSIGN(const fs::path path, targetFile());
    ET_ASSIGN(const std::vector<Target> targets, readTargets(path));
    const auto found = std::ranges::find(targets, text, &Target::name);
    if (found == targets.end()) {
        return fail(
            ErrorCode::NotFound,
            fmt::format("no target \"{}\"; 'et-inspect target list' lists the available targets", text));
    }
    return *found;
}

}  // namespace et::devices
