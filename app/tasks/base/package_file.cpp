#include "app/tasks/base/package_file.h"

#include "backends/lowering/lower.h"
#include "backends/lowering/record_maps.h"
#include "etrecord/writer.h"
#include "runtime/core/file_kind.h"
#include "runtime/kernels/builtin.h"

#include <string>
#include <utility>

namespace et::tasks {

using core::Result;

Result<ProgramFile> lowerPackage(std::shared_ptr<const native::Package> package) {
    const std::string name = package->file->name();
    const auto named = [&](core::Error error) {
        // A fault of the file is not a usage error.
        const bool isFault =
            error.code == core::ErrorCode::InvalidArgument || error.code == core::ErrorCode::NotFound;
        error.code = isFault ? core::ErrorCode::Format : error.code;
        return std::move(error).in(name);
    };
    ET_ASSIGN(const auto graphs, backends::native::recordOf(std::move(package)).transform_error(named));
    ET_ASSIGN(
        const auto lowered,
        backends::lowering::lowerRecord(*graphs, {.kernels = kernels::builtin()}).transform_error(named));
    ProgramFile made;
    ET_ASSIGN(made.program,
              program::Program::parse(core::MappedFile::fromMemory(lowered.file.joined(), name)));
    ET_ASSIGN(core::FileContent record, etrecord::replaceMaps(*graphs, mapsOf(lowered)));
    ET_ASSIGN(made.record, etrecord::Record::parse(std::move(record), name));
    return made;
}

Result<std::shared_ptr<const etrecord::Record>> parseRecord(std::shared_ptr<const core::MappedFile> file) {
    return parseQuantizedRecord(std::move(file), backends::native::QuantizedConstants::Floats);
}

Result<std::shared_ptr<const etrecord::Record>> parseQuantizedRecord(
    std::shared_ptr<const core::MappedFile> file, backends::native::QuantizedConstants quantized) {
    if (core::detectFileKind(file->bytes()) != core::FileKind::Package) {
        return etrecord::Record::parse(std::move(file));
    }
    ET_ASSIGN(auto package, native::Package::parse(std::move(file)));
    return backends::native::recordOf(std::move(package), quantized);
}

}  // namespace et::tasks
