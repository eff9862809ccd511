#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/program/program.h"

#include <et_inspect/source.h>

#include <memory>

namespace et_inspect::detail {

/// Opens a file, or reads it with a loader. Takes the bytes of a source in memory. `mode` replaces the
/// default of sources that name none. Errors: Io, Limit, those of the loader.
[[nodiscard]] et::core::Result<std::shared_ptr<const et::core::MappedFile>> openSource(Source& source,
                                                                                       LoadMode mode);

/// A program, standalone or in a bundled program. Errors: those of openSource() and of the readers.
[[nodiscard]] et::core::Result<std::shared_ptr<const et::program::Program>> openProgram(Source& source,
                                                                                        LoadMode mode);

}  // namespace et_inspect::detail
