#include "app/tasks/size/measured_size.h"

#include "app/tasks/base/program_file.h"
#include "backends/builtin.h"
#include "backends/host_caches.h"
#include "inspector/session/artifact.h"
#include "inspector/session/package_program.h"
#include "inspector/session/record_check.h"
#include "runtime/native/package.h"

#include <utility>

namespace et::tasks {
namespace {

using core::Result;

using TensorDataFile = std::shared_ptr<const program::TensorData>;

/// A program, or a package, which is measured without lowering it.
struct SizedModel {
    ProgramFile program;
    std::shared_ptr<const native::Package> package;
};

/// Opens the model; if it is a tensor data file, appends it to `data` instead.
Result<SizedModel> openModel(const std::filesystem::path& path, std::vector<TensorDataFile>& data) {
    ET_ASSIGN(inspector::RecognizedFile file, inspector::RecognizedFile::open(path));
    if (file.kind == core::FileKind::Package) {
        return native::Package::parse(std::move(file.file)).transform([](auto package) {
            return SizedModel{.program = {}, .package = std::move(package)};
        });
    }
    if (file.kind != core::FileKind::TensorData) {
        return ProgramFile::parse(std::move(file)).transform([](ProgramFile program) {
            return SizedModel{.program = std::move(program), .package = nullptr};
        });
    }
    ET_ASSIGN(auto opened, program::TensorData::parse(std::move(file.file)));
    data.insert(data.begin(), std::move(opened));
    return SizedModel{};
}

}  // namespace

core::Result<SessionSize> sessionSize(const inspector::Session& session) {
    SessionSize out;
    if (!session.files.tensorData.empty()) {
        ET_ASSIGN(auto data, program::TensorData::open(session.files.tensorData));
        out.data.push_back(std::move(data));
    }
    const bool isAlone = inspector::isProgramOfPackage(session);
    ET_ASSIGN(out.map, inspector::makeSizeMap({.program = isAlone ? nullptr : session.program,
                                               .bundle = session.bundle,
                                               .tensorData = out.data,
                                               .record = isAlone ? nullptr : session.recordOfProgram(),
                                               .package = session.package.get(),
                                               .backends = backends::describable()}));
    return out;
}

Result<MeasuredSize> measureSize(const SizeFiles& files) {
    ET_ASSIGN(auto data, openTensorData(files.data));
    ET_ASSIGN(const SizedModel opened, openModel(files.model, data));
    const ProgramFile& model = opened.program;
    ET_ASSIGN(auto record, openRecord(files.record));
    MeasuredSize out;
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
                                       .package = opened.package.get(),
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
    if (model.program != nullptr) {
        out.caches = backends::hostCachePlan(*model.program, files.caches);
    }
    out.keptOpen = {model.program, model.bundle, opened.package};
    out.keptOpen.insert(out.keptOpen.end(), data.begin(), data.end());
    return out;
}

}  // namespace et::tasks
