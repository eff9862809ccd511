#pragma once

#include "inspector/session/session.h"
#include "inspector/size/size_map.h"
#include "runtime/core/result.h"

#include <memory>
#include <vector>

namespace et::tasks {

/// Owners of the bytes in a session's files. Keeps the files that `map` borrows from and the session does not
/// own.
struct SessionSize {
    inspector::SizeMap map;
    std::vector<std::shared_ptr<const program::TensorData>> data;
};

/// The session must have a program and outlive the result. Errors: those of makeSizeMap() and
/// TensorData::open().
[[nodiscard]] core::Result<SessionSize> sessionSize(const inspector::Session& session);

}  // namespace et::tasks
