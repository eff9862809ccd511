#include "app/tasks/model/bench_files.h"

#include "app/tasks/base/file_slot.h"
#include "inspector/session/artifact.h"

#include <fmt/format.h>

namespace et::tasks {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::FileKind;
using core::Result;

Result<std::vector<fs::path>> sortBenchFiles(const std::vector<fs::path>& files, ModelOptions& options) {
    std::vector<fs::path> programs;
    for (const fs::path& path : files) {
        const auto file = inspector::RecognizedFile::open(path);
        const FileKind kind = file ? file->kind : FileKind::Unknown;
        switch (kind) {
            case FileKind::Program:
            case FileKind::BundledProgram:
            case FileKind::Package:
            case FileKind::Database:
            case FileKind::Unknown:
                programs.push_back(path);
                break;
            case FileKind::TensorData:
                options.tensorData.push_back(path);
                break;
            case FileKind::Record:
                ET_TRY(fillSlot(options.record, path, "ETRecord"));
                break;
            default:
                return fail(ErrorCode::InvalidArgument,
                            fmt::format("expected a program, weights or an ETRecord, got {}",
                                        core::fileKindName(kind)),
                            {.file = path.string(), .field = {}, .offset = {}});
        }
    }
    if (programs.empty()) {
        return fail(ErrorCode::InvalidArgument, "expected a program (.pte) or bundled program (.bpte)");
    }
    return programs;
}

}  // namespace et::tasks
