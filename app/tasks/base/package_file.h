#pragma once

#include "app/tasks/base/program_file.h"
#include "backends/native/lower/record.h"
#include "etrecord/record.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/native/package.h"

#include <memory>

namespace et::tasks {

/// A package (.ptn) as a program and its record: its graphs, lowered with the kernels of this build; the
/// memory plan is ours. The record's maps are those of the program. Errors: those of
/// backends::native::recordOf(); Unsupported (an operator without a kernel; names it).
[[nodiscard]] core::Result<ProgramFile> lowerPackage(std::shared_ptr<const native::Package> package);

/// A record: an ETRecord, or the graphs of a package. Errors: those of the readers.
[[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> parseRecord(
    std::shared_ptr<const core::MappedFile> file);
/// The same, but quantized constants of a package appear as asked.
[[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> parseQuantizedRecord(
    std::shared_ptr<const core::MappedFile> file, backends::native::QuantizedConstants quantized);

}  // namespace et::tasks
