#pragma once

#include "inspector/session/session.h"
#include "inspector/tensors/tensor_catalog.h"

#include <memory>

namespace et::tasks {

/// The tensors of a session, including those of its tensor data file and of delegates that can be described.
/// A data file that cannot be read adds a line to problems(). Null without a session.
[[nodiscard]] std::shared_ptr<const inspector::TensorCatalog> catalogOf(
    const std::shared_ptr<const inspector::Session>& session);

}  // namespace et::tasks
