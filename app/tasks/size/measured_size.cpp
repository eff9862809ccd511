#include "app/tasks/size/measured_size.h"

#include "app/tasks/base/program_file.h"
#include "backends/builtin.h"
#include "inspector/session/artifact.h"
#include "inspector/session/record_check.h"

#include <utility>

namespace et::tasks {
namespace {

using core::Result;
using TensorDataFile = std::shared_ptr<const program::TensorData>;

/// Opens the model; if it is a tensor data file, appends it to `data` instead.
Result<ProgramFile> openModel(const std::filesystem::path& path, std::vector<TensorDataFile>& data) {
    ET_ASSIGN(inspector::RecognizedFile file, inspector::RecognizedFile::open(path));
    if (file.kind != inspector::ArtifactKind::TensorData) {
        return ProgramFile::parse(std::move(file));
    }
    ET_ASSIGN(auto opened, program::TensorData::parse(std::move(file.file)));
    data.insert(data.begin(), std::move(opened));
    return ProgramFile{};
}

}  // namespace

Result<MeasuredSize> measureSize(const SizeFiles& files) {
    std::vector<TensorDataFile> data;
    for (const std::filesystem::path& path : files.data) {
        ET_ASSIGN(auto opened, program::TensorData::open(path));
        data.push_back(std::move(opened));
    }
    ET_ASSIGN(ProgramFile model, openModel(files.model, data));
    std::shared_ptr<const etrecord::Record> record;
    MeasuredSize out;
    if (!files.record.empty()) {
        ET_ASSIGN(record, etrecord::Record::open(files.record));
    }
    if (record != nullptr && model.program != nullptr) {
        if (auto wrong = inspector::contradiction(*record, *model.program)) {
            out.warnings.push_back(std::move(*wrong));
            record = nullptr;
        }
    }
    auto map = inspector::makeSizeMap({.program = model.program,
                                       .bundle = model.bundle,
                                       .tensorData = data,
                                       .record = record.get(),
                                       .backends = backends::describable()});
    if (!map) {
        return std::unexpected(core::Error(map.error()).in(files.model.string()));
    }
    out.map = std::move(*map);
    if (files.content) {
        inspector::RepeatedContent repeated = inspector::repeatedContent(out.map);
        out.duplicates = std::move(repeated.duplicates);
        out.uniform = std::move(repeated.uniform);
        out.equalValues = inspector::equalValues(out.map);
        out.compressible = inspector::compressiblePieces(out.map);
    }
    out.keptOpen = {model.program, model.bundle};
    out.keptOpen.insert(out.keptOpen.end(), data.begin(), data.end());
    return out;
}

}  // namespace et::tasks
