#include "app/tasks/gap/gap_files.h"

#include "app/tasks/base/file_slot.h"
#include "app/tasks/model/model.h"
#include "inspector/session/placement.h"

#include <fmt/format.h>

#include <string_view>

namespace et::tasks {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;

namespace {

/// Reports that a given file needs another one, or cannot be combined with it.
Result<> failUsage(const fs::path& given, std::string_view expected) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: {}; see 'et-inspect gap --help'", given.string(), expected));
}

}  // namespace

Result<> placeFiles(GapSettings& settings) {
    if (settings.files.empty()) {
        return {};
    }
    std::vector<fs::path> paths = settings.files;
    if (!settings.trace.empty()) {
        paths.push_back(settings.trace);  // needed to recognize its debug buffer
    }
    ET_ASSIGN(const inspector::SessionFiles found,
              inspector::placeFiles(paths, inspector::SessionScope::All));
    ET_TRY(fillSlot(settings.model.record, found.record, "ETRecord"));
    ET_TRY(fillSlot(settings.program, found.program, "program"));
    ET_TRY(fillSlot(settings.program, found.bundle, "program"));
    if (!found.package.empty()) {
        // Without another program, a package is the program; without an ETRecord, it is its own reference.
        ET_TRY(settings.program.empty() ? fillSlot(settings.program, found.package, "program") : Result<>());
        settings.model.record = settings.model.record.empty() ? found.package : settings.model.record;
    }
    ET_TRY(fillSlot(settings.trace, found.trace, "trace"));
    ET_TRY(fillSlot(settings.debugBuffer, found.debugBuffer, "debug buffer"));
    for (const inspector::TraceFiles& other : found.others) {
        ET_TRY(fillSlot(settings.trace, other.trace, "trace"));
    }
    if (!found.tensorData.empty()) {
        settings.model.tensorData.push_back(found.tensorData);
    }
    return {};
}

Result<> checkFiles(const GapSettings& settings) {
    const fs::path& trace = settings.trace;
    const fs::path& program = settings.program;
    if (settings.model.record.empty()) {
        const fs::path& given = program.empty() ? trace : program;
        return given.empty()
                   ? fail(ErrorCode::InvalidArgument, "expected an ETRecord; see 'et-inspect gap --help'")
                   : failUsage(given, "expected an ETRecord as well");
    }
    const bool hasTrace = !trace.empty();
    if (!hasTrace && program.empty()) {
        return failUsage(settings.model.record,
                         "expected a program as well, or a trace with its debug buffer");
    }
    if (hasTrace && !program.empty()) {
        return failUsage(trace,
                         fmt::format("expected either this trace or the program {}", program.string()));
    }
    if (hasTrace && settings.debugBuffer.empty()) {
        return failUsage(trace, "expected its debug buffer as well");
    }
    if (!hasTrace && !settings.debugBuffer.empty()) {
        return failUsage(settings.debugBuffer, "expected the trace of this debug buffer as well");
    }
    if (hasTrace && !settings.inputs.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    "--inputs needs a program: a trace uses the inputs of its run");
    }
    return {};
}

std::vector<fs::path> inputsOf(const GapSettings& settings) {
    std::vector<fs::path> all = Model::files(settings.program, settings.model);
    all.insert(all.end(), {settings.model.record, settings.trace, settings.debugBuffer});
    std::erase(all, fs::path{});
    return all;
}

}  // namespace et::tasks
