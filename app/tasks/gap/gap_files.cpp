#include "app/tasks/gap/gap_files.h"

#include "app/tasks/base/file_slot.h"
#include "app/tasks/model/model.h"
#include "inspector/session/placement.h"

namespace et::tasks {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;

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
    if (settings.model.record.empty()) {
        return fail(ErrorCode::InvalidArgument, "expected an ETRecord; see 'et-inspect gap --help'");
    }
    const bool hasTrace = !settings.trace.empty();
    if (hasTrace == !settings.program.empty()) {
        return fail(
            ErrorCode::InvalidArgument,
            "expected either a program, or a trace with its debug buffer; see 'et-inspect gap --help'");
    }
    if (hasTrace != !settings.debugBuffer.empty()) {
        return fail(ErrorCode::InvalidArgument, "a trace and its debug buffer must be given together");
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
