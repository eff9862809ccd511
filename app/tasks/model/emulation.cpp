#include "app/tasks/model/emulation.h"

#include "app/tasks/base/program_file.h"
#include "backends/interpreted/runnable.h"
#include "runtime/executor/module_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

namespace et::tasks {

namespace fs = std::filesystem;
using backends::reference::EmulatedBackend;
using core::Result;

std::vector<std::string> Emulation::names() const {
    std::vector<std::string> all;
    std::ranges::transform(backends, std::back_inserter(all),
                           [](const auto& each) { return std::string(each->name()); });
    return all;
}

std::string Emulation::note() const {
    const auto subject = [](const std::vector<std::string>& all) {
        return core::printable(fmt::format("{} {}", fmt::join(all, ", "), all.size() == 1 ? "is" : "are"));
    };
    std::string text;
    if (!backends.empty()) {
        text = fmt::format(
            "{} emulated from {}: results are those of the exported operators, times are meaningless",
            subject(names()), record->file().name());
    }
    if (!interpreted.empty()) {
        text += fmt::format("{}{} computed here from the payload: times are meaningless",
                            text.empty() ? "" : "; ", subject(interpreted));
    }
    return text;
}

namespace {

std::vector<std::string> interpretedBackends(const program::Program& program,
                                             std::span<const executor::Backend* const> available) {
    std::vector<std::string> names;
    for (const program::Method& method : program.methods) {
        for (const program::Delegate& delegate : method.delegates) {
            const auto* backend = executor::findBackend(available, delegate.backend);
            if (backend != nullptr && ::et::backends::isInterpreted(*backend) &&
                !std::ranges::contains(names, delegate.backend)) {
                names.emplace_back(delegate.backend);
            }
        }
    }
    return names;
}

/// Moves the backends of which a payload cannot be computed.
void moveUncomputable(const program::Program& program, std::span<const executor::Backend* const> available,
                      std::vector<std::string>& from, std::vector<std::string>& to) {
    const executor::ModuleData data(program, {});
    for (const program::Method& method : program.methods) {
        for (const program::Delegate& delegate : method.delegates) {
            const auto known = std::ranges::find(from, delegate.backend);
            if (known == from.end()) {
                continue;
            }
            const auto* const backend = executor::findBackend(available, delegate.backend);
            const auto checked = ::et::backends::checkComputable(*backend, delegate, data);
            if (!checked && checked.error().code == core::ErrorCode::Unsupported) {
                to.push_back(std::move(*known));
                from.erase(known);
            }
        }
    }
}

}  // namespace

fs::path adjacentRecord(const fs::path& program) {
    fs::path beside = program;
    beside.replace_extension(".etrecord");
    std::error_code unknown;
    return fs::is_regular_file(beside, unknown) ? beside : fs::path();
}

Result<Emulation> makeEmulation(const fs::path& path, const ModelOptions& options,
                                const std::shared_ptr<const program::Program>& program,
                                std::span<const executor::Backend* const> available,
                                const kernels::KernelRegistry& kernels) {
    Emulation emulation;
    emulation.interpreted = interpretedBackends(*program, available);
    std::vector<std::string> missing = backends::reference::missingBackends(*program, available);
    if (missing.empty() && emulation.interpreted.empty()) {
        return emulation;
    }
    // Disabling a backend means running the program without it.
    const bool mayLookBeside =
        options.emulate || (options.emulateFromAdjacentRecord && options.backendsOff.empty());
    const fs::path record = options.record.empty() && mayLookBeside ? adjacentRecord(path) : options.record;
    if (record.empty() && options.emulate && !missing.empty()) {
        return core::fail(core::ErrorCode::NotFound,
                          "--emulate: no ETRecord next to the program: give it with --etrecord",
                          {.file = path.string(), .field = {}, .offset = {}});
    }
    if (record.empty()) {
        return emulation;
    }
    moveUncomputable(*program, available, emulation.interpreted, missing);
    if (missing.empty()) {
        return emulation;
    }
    ET_ASSIGN(emulation.record, openRecord(record));
    for (const std::string& name : missing) {
        emulation.backends.push_back(
            std::make_unique<EmulatedBackend>(name, program, emulation.record, kernels));
    }
    return emulation;
}

}  // namespace et::tasks
