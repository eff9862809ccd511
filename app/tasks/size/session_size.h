#pragma once

#include "inspector/session/session.h"
#include "inspector/size/size_map.h"
#include "runtime/core/result.h"

#include <memory>
#include <vector>

namespace et::app {

/// Who owns the bytes of a session's files. Holds the files that `map` borrows from and the session does not.
struct SessionSize {
    inspector::SizeMap map;
    std::vector<std::shared_ptr<const program::TensorData>> data;
};

/// Of a session with a program, which must outlive the result. Errors: as sizeMapOf() and
/// TensorData::open().
[[nodiscard]] core::Result<SessionSize> sessionSize(const inspector::Session& session);

}  // namespace et::app
